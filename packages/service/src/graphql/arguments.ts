import { ROLES, TEAMS, type Origin, requireScope, type Team } from '@payroll/kernel';
import { Arg, ArgsType, type ClassType, createParameterDecorator, ID, ObjectType } from 'type-graphql';
import type { SubgraphContext } from './context.js';
import * as field from './fields.js';
import { VisibleTo } from './permissions.js';

const OPERATION_ID = {
  nullable: true,
  description: 'A UUID made by the caller: sent again with the same arguments, the first result comes back.',
} as const;

/** The origin of a mutation, with its argument `operationId`. */
export function MutationCtx(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(
    ({ args, context: { origin } }): Origin => ({
      ...origin,
      operationId: args['operationId'] as string | undefined,
    }),
    { arg: { name: 'operationId', typeFunc: () => ID, options: OPERATION_ID } },
  );
}

/** The context of a query. @throws DomainError `INSUFFICIENT_SCOPE` for who may not read. */
export function ReadCtx(): ReturnType<typeof Arg> {
  return createParameterDecorator<SubgraphContext>(({ context }) => {
    requireScope(context.origin.actor, 'read');
    return context;
  });
}

export function IdArg(thing: string): ReturnType<typeof Arg> {
  return Arg('id', () => ID, { description: `The id of the ${thing}.` });
}

export function ExpectedVersion(): ReturnType<typeof Arg> {
  return Arg('expectedVersion', () => String, {
    description: 'The version that was reviewed; another one is refused as stale.',
  });
}

/** The type of a page, such as `TimesheetPage`; `things` is the word for them in its description. */
export function pageType<Node extends object>(
  node: ClassType<Node>,
  things: string,
  readers: readonly Team[] = TEAMS,
  name = `${node.name}Page`,
): ClassType<{ nodes: Node[]; hasMore: boolean; nextCursor: string | null }> {
  // All people, because the rows declare their own readers.
  @VisibleTo({ teams: readers, people: ROLES })
  @ObjectType(name, { description: `A page of ${things}.` })
  class Page {
    @field.of(() => [node], 'What is on this page.') nodes!: Node[];
    @field.boolean('Whether another page follows.') hasMore!: boolean;
    @field.text('Send it as cursor, with the same filters, to get the next page; null on the last.', field.NULLABLE)
    nextCursor!: string | null;
  }
  return Page;
}

/** The arguments of every list in addition to its filters. */
@ArgsType()
export class PageArguments {
  @field.of(() => [ID], 'Only those with these ids.', field.NULLABLE) ids?: string[] | null;
  @field.int('1–100.', { defaultValue: 50 }) limit!: number;
  @field.text('The nextCursor of the previous page, other filters unchanged.', field.NULLABLE) cursor?: string | null;
}

/** The arguments of a list that can be polled for changes. */
@ArgsType()
export class FollowedPageArguments extends PageArguments {
  @field.time('Inclusive; turns the order to oldest change first.', field.NULLABLE) updatedSince?: string | null;
}
