import 'reflect-metadata';
import { Teams, Timestamp } from '@payroll/subgraph';
import { ArgsType, Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type * as list from './list-audit-entries.js';

/** Who may ask what others did. */
export const AUDITORS = ['support', 'operations', 'finance'] as const;

@Teams(...AUDITORS)
@Directive('@shareable')
@ObjectType({ description: 'Who changed what, through what, in which request.' })
export class AuditEntry implements list.AuditEntry {
  @Field(() => ID, { description: 'The id of the entry, a UUID.' })
  id!: string;

  @Field(() => Timestamp, { description: 'When it was done.' })
  at!: string;

  @Field(() => String, { description: 'api_key, connection, staff, service or system.' })
  actorKind!: string;

  @Field(() => ID, { description: 'The principal of the key, connection or internal token; all zero for the system.' })
  principalId!: string;

  @Field(() => String, { description: 'The door it came through: rest, mcp, graphql, event or runner.' })
  via!: string;

  @Field(() => String, { description: 'Leads to the request in every log.' })
  requestId!: string;

  @Field(() => String, { description: 'What was done, such as contract.signed.' })
  action!: string;

  @Field(() => ID, { description: 'What it was done to.' })
  subjectId!: string;

  @Teams('operations', 'finance')
  @Field(() => String, { description: 'What changed, as JSON: from what to what, or what was made.' })
  change!: string;
}

@Teams(...AUDITORS)
@Directive('@shareable')
@ObjectType({ description: 'A page of audit entries.' })
export class AuditPage {
  @Field(() => [AuditEntry], { description: 'What is on this page.' })
  nodes!: AuditEntry[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@ArgsType()
export class AuditTrailArguments implements list.AuditFilters {
  @Field(() => ID, { nullable: true, description: 'Only what was done to this thing.' })
  subjectId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Only what this principal did.' })
  principalId?: string | null;

  @Field(() => Int, { defaultValue: 50, description: '1–100.' })
  limit!: number;

  @Field(() => String, { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' })
  cursor?: string | null;
}
