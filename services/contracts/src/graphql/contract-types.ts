import 'reflect-metadata';
import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPES,
  type ContractStatus,
  type ContractType,
  type EmploymentType,
} from '@payroll/kernel';
import {
  BooleanField,
  DateField,
  DecimalField,
  EVERYBODY,
  FieldOf,
  FollowedPageArguments,
  IdField,
  IntField,
  NULLABLE,
  pageOf,
  PERSONS_READERS,
  Teams,
  TERMS_READERS,
  TextField,
  TimeField,
} from '@payroll/subgraph';
import { ArgsType, Directive, ObjectType } from 'type-graphql';
import type { TermsChange } from '../domain/terms.js';
import type * as store from '../store/contracts.js';
import { AgreedMilestone, Creator, DraftDetails } from './draft-types.js';
import { enumOf } from './enums.js';

@Teams(...PERSONS_READERS)
@ObjectType({ description: 'Who works under a contract; both fields are null until someone is named.' })
class ContractWorker {
  @IdField('The worker; null until someone is named.', NULLABLE) id!: string | null;
  @TextField('How the worker is called; null until someone is named.', NULLABLE) name!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'An agreement with a worker, from its draft to its end.' })
export class Contract implements store.Contract {
  @IdField('Its id, a UUID.') id!: string;
  @TextField('1–200 characters.') title!: string;
  @FieldOf(() => enumOf(EMPLOYMENT_TYPES), 'Whether the worker is employed or works for themselves.')
  employmentType!: EmploymentType;
  @FieldOf(() => enumOf(CONTRACT_TYPES), 'How the work is agreed on and paid.') contractType!: ContractType;
  @FieldOf(() => enumOf(CONTRACT_STATUSES), 'Where it is between draft and end.') status!: ContractStatus;
  @FieldOf(() => ContractWorker, 'Who works under it; both fields are null until someone is named.')
  worker!: ContractWorker;
  @DateField('The first day; null while it is open.', NULLABLE) startDate!: string | null;
  @DateField('The last day; null for one without an end.', NULLABLE) endDate!: string | null;
  @TimeField('When its draft was made.') createdAt!: string;
  @TimeField('Moves with every visible change.') updatedAt!: string;
  @TimeField('Set for a deleted contract, whose tombstone this is.', NULLABLE) deletedAt!: string | null;
  @Teams(...TERMS_READERS)
  @FieldOf(() => Creator, 'For creator contracts.', NULLABLE)
  creator!: store.Contract['creator'];
}

export const ContractPage = pageOf(Contract, 'contracts');

@ArgsType()
export class ContractListArguments extends FollowedPageArguments {
  @FieldOf(() => enumOf(CONTRACT_STATUSES), 'Only contracts in this status.', NULLABLE) status?: ContractStatus | null;
  @BooleanField('Whether tombstones of deleted contracts are listed too.', { defaultValue: false })
  includeDeleted!: boolean;
  @TextField('The reference the same principal gave when creating the draft.', NULLABLE)
  externalReference?: string | null;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'The terms that hold now: what work and payments are reckoned by.' })
class ContractTerms {
  @TextField('ISO 4217.') currency!: string;
  @DecimalField('Per unit worked.', NULLABLE) rate!: string | null;
  @IntField('Days from the end of the work period to its payment.') paymentDueDays!: number;
  @BooleanField('Whether payments are processed by themselves when they are due.') autoPayEnabled!: boolean;
  @BooleanField('Whether somebody has to approve timesheets; otherwise they approve themselves.')
  timesheetApprovalRequired!: boolean;
  @IntField('After how many days submitted work approves itself; null: never.', NULLABLE)
  autoApproveAfterDays!: number | null;
}

@ArgsType()
export class ContractTermsArguments implements TermsChange {
  @DecimalField('Per unit worked; above zero.', NULLABLE) rate?: string | null;
  @IntField('Days from the end of the work period to its payment.', NULLABLE) paymentDueDays?: number | null;
  @BooleanField('Whether due payments are processed by themselves.', NULLABLE) autoPayEnabled?: boolean | null;
  @BooleanField('Whether somebody has to approve submitted work.', NULLABLE)
  timesheetApprovalRequired?: boolean | null;
  @IntField('After how many days submitted work approves itself; null: it never does.', NULLABLE)
  autoApproveAfterDays?: number | null;
}

@Teams(...TERMS_READERS)
@ObjectType({
  description: 'All that is kept of a contract beside what its readers see: as agreed in the draft, and what followed.',
})
export class ContractDetails extends DraftDetails {
  @FieldOf(() => [AgreedMilestone], 'The milestones as agreed, by sortOrder, then as sent. Review has their progress.')
  milestones!: AgreedMilestone[];
  @FieldOf(() => ContractTerms, 'The terms that hold now.') terms!: ContractTerms;
  @TextField('Given by who made the draft, and unique for that principal.', NULLABLE)
  externalReference!: string | null;
  @IdField('The principal that made the draft.') createdByPrincipal!: string;
  @IntField('Counts the changes that other services are told of.') revision!: number;
  @TimeField('When the business signed; null until then.', NULLABLE) businessSignedAt!: string | null;
  @TimeField('When the worker signed; null until then.', NULLABLE) workerSignedAt!: string | null;
  @DateField('The day it was, or will be, terminated on.', NULLABLE) terminationDate!: string | null;
  @TextField('Why it was returned to draft; null once submitted again.', NULLABLE) returnReason!: string | null;
  @TextField('Why it was cancelled.', NULLABLE) cancellationReason!: string | null;
}
