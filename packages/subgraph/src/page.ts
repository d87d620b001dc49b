import type { Team } from '@payroll/kernel';
import { ArgsType, ObjectType, type ClassType } from 'type-graphql';
import { BooleanField, FieldOf, IntField, NULLABLE, TextField, TimeField } from './fields.js';
import { EVERYBODY, Teams } from './teams.js';

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
