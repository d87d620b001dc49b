import 'reflect-metadata';
import { Decimal } from '@payroll/subgraph';
import { ArgsType, Field, Int } from 'type-graphql';
import type { TermsChange } from '../domain/terms.js';

/** What is not given stays as it is. */
@ArgsType()
export class ContractTermsArguments implements TermsChange {
  @Field(() => Decimal, { nullable: true, description: 'Per unit worked; above zero.' })
  rate?: string | null;

  @Field(() => Int, { nullable: true, description: 'Days from the end of the work period to its payment.' })
  paymentDueDays?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether due payments are processed by themselves.' })
  autoPayEnabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether somebody has to approve submitted work.' })
  timesheetApprovalRequired?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: 'After how many days submitted work approves itself; null: it never does.',
  })
  autoApproveAfterDays?: number | null;
}
