import { type Origin, requireScope, type Team } from '@payroll/kernel';
import { Arg, ArgsType, type ClassType, createParameterDecorator, ID, ObjectType } from 'type-graphql';
import type { SubgraphContext } from './context.js';
import { BooleanField, FieldOf, IntField, NULLABLE, TextField, TimeField } from './fields.js';
import { EVERYBODY, Teams } from './teams.js';

/** Who asks for a change, and the id under which it is applied once. */
export interface Operation {
  origin: Origin;
  operationId: string | undefined;
}

const OPERATION_ID = {
  nullable: true,
  description: 'A UUID made by the caller: sent again with the same arguments, the first result comes back.',
} as const;

/** The argument `operationId` of a mutation, with who sends it. */
export function OperationOf(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(
    ({ args, context: { origin } }): Operation => ({ origin, operationId: args['operationId'] as string | undefined }),
    { arg: { name: 'operationId', typeFunc: () => ID, options: OPERATION_ID } },
  );
}

/** The context of a query. @throws DomainError `INSUFFICIENT_SCOPE` for who may not read. */
export function Reader(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(({ context }) => {
    requireScope(context.origin.actor, 'read');
    return context;
  });
}

export function IdOf(thing: string): ReturnType<typeof Arg> {
  return Arg('id', () => ID, { description: `The id of the ${thing}.` });
}

export function ExpectedVersion(): ReturnType<typeof Arg> {
  return Arg('expectedVersion', () => String, {
    description: 'The version that was reviewed; another one is refused as stale.',
  });
}

/** The type of a page, such as `TimesheetPage`; `things` is the word for them in its description. */
export function pageOf<Node extends object>(
  node: ClassType<Node>,
  things: string,
  readers: readonly Team[] = EVERYBODY,
  name = `${node.name}Page`,
): ClassType<{ nodes: Node[]; hasMore: boolean; nextCursor: string | null }> {
  @Teams(...readers)
  @ObjectType(name, { description: `A page of ${things}.` })
  class Page {
    @FieldOf(() => [node], 'What is on this page.') nodes!: Node[];
    @BooleanField('Whether another page follows.') hasMore!: boolean;
    @TextField('Send it as cursor, with the same filters, to get the next page; null on the last.', NULLABLE)
    nextCursor!: string | null;
  }
  return Page;
}

/** What every list takes beside its filters. */
@ArgsType()
export class PageArguments {
  @IntField('1–100.', { defaultValue: 50 }) limit!: number;
  @TextField('The nextCursor of the previous page, other filters unchanged.', NULLABLE) cursor?: string | null;
}

/** What a list takes that a poller can follow. */
@ArgsType()
export class FollowedPageArguments extends PageArguments {
  @TimeField('Inclusive; turns the order to oldest change first.', NULLABLE) updatedSince?: string | null;
}
