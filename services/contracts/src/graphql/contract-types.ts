import {
  ROLES,
  TEAMS,
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPES,
  type ContractStatus,
  type ContractType,
  type EmploymentType,
} from '@payroll/kernel';
import {
  field,
  FollowedPageArguments,
  NULLABLE,
  pageType,
  VisibleTo,
  PERSONS_READERS,
  TERMS_READERS,
} from '@payroll/service';
import { ArgsType, Directive, ObjectType } from 'type-graphql';
import type { TermsChange } from '../domain/terms.js';
import type * as store from '../store/views.js';
import { AgreedDeliverable, AgreedMilestone, Creator, DraftDetails } from './draft-types.js';
import { enumOf } from './enums.js';

export const SEEN = 'The revision that was seen; another one is refused as stale. A person has to say it.';

@VisibleTo({ teams: PERSONS_READERS, people: ROLES })
@ObjectType({ description: 'Who works under a contract; both fields are null until someone is named.' })
class ContractWorker {
  @field.id('The worker; null until someone is named.', NULLABLE) id!: string | null;
  @field.text('How the worker is called; null until someone is named.', NULLABLE) name!: string | null;
}

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'An agreement with a worker, from its draft to its end.' })
export class Contract implements store.Contract {
  @field.id('Its id, a UUID.') id!: string;
  @field.int('Counts its changes; a person who changes it says which one they saw.') revision!: number;
  @field.text('1–200 characters.') title!: string;
  @field.of(() => enumOf(EMPLOYMENT_TYPES), 'Whether the worker is employed or works for themselves.')
  employmentType!: EmploymentType;
  @field.of(() => enumOf(CONTRACT_TYPES), 'How the work is agreed on and paid.') contractType!: ContractType;
  @field.of(() => enumOf(CONTRACT_STATUSES), 'Where it is between draft and end.') status!: ContractStatus;
  @field.of(() => ContractWorker, 'Who works under it; both fields are null until someone is named.')
  worker!: ContractWorker;
  @field.day('The first day; null while it is open.', NULLABLE) startDate!: string | null;
  @field.day('The last day; null for one without an end.', NULLABLE) endDate!: string | null;
  @field.time('When its draft was made.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
  @field.time('Set for a deleted contract, whose tombstone this is.', NULLABLE) deletedAt!: string | null;
  @VisibleTo({ teams: TERMS_READERS })
  @field.of(() => Creator, 'For creator contracts.', NULLABLE)
  creator!: store.Contract['creator'];
}

/** The contract to change, and the revision that the caller saw. */
@ArgsType()
export class SeenArguments {
  @field.id('What is changed.') id!: string;
  @field.int(SEEN, NULLABLE) expectedRevision?: number | null;
}

export const ContractPage = pageType(Contract, 'contracts');

@ArgsType()
export class ContractListArguments extends FollowedPageArguments {
  @field.of(() => enumOf(CONTRACT_STATUSES), 'Only contracts in this status.', NULLABLE) status?: ContractStatus | null;
  @field.boolean('Whether tombstones of deleted contracts are listed too.', { defaultValue: false })
  includeDeleted!: boolean;
  @field.of(() => enumOf(CONTRACT_TYPES), 'Only contracts of this type.', NULLABLE) contractType?: ContractType | null;
  @field.id('Only contracts of this worker.', NULLABLE) workerId?: string | null;
  @field.text(
    'Only where the title, the name of the worker or the reference has this in it, in any case, as far as its reader may read them. 1–200 characters.',
    NULLABLE,
  )
  search?: string | null;
  @field.text('The reference the same principal gave when creating the draft.', NULLABLE)
  externalReference?: string | null;
  @field.boolean('Sorts by creation, oldest first.', { defaultValue: false }) oldestFirst!: boolean;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'The terms that hold now: what work and payments are reckoned by.' })
class ContractTerms {
  @field.text('ISO 4217.') currency!: string;
  @field.decimal('Per unit worked.', NULLABLE) rate!: string | null;
  @field.int('Days from the end of the work period to its payment.') paymentDueDays!: number;
  @field.boolean('Whether payments are processed by themselves when they are due.') autoPayEnabled!: boolean;
  @field.boolean('Whether somebody has to approve timesheets; otherwise they approve themselves.')
  timesheetApprovalRequired!: boolean;
  @field.int('After how many days submitted work approves itself; null: never.', NULLABLE)
  autoApproveAfterDays!: number | null;
}

@ArgsType()
export class ContractTermsArguments implements TermsChange {
  @field.decimal('Per unit worked; above zero.', NULLABLE) rate?: string | null;
  @field.int('Days from the end of the work period to its payment.', NULLABLE) paymentDueDays?: number | null;
  @field.boolean('Whether due payments are processed by themselves.', NULLABLE) autoPayEnabled?: boolean | null;
  @field.boolean('Whether somebody has to approve submitted work.', NULLABLE)
  timesheetApprovalRequired?: boolean | null;
  @field.int('After how many days submitted work approves itself; null: it never does.', NULLABLE)
  autoApproveAfterDays?: number | null;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({
  description: 'All that is kept of a contract beside what its readers see: as agreed in the draft, and what followed.',
})
export class ContractDetails extends DraftDetails {
  @field.of(() => [AgreedMilestone], 'The milestones as agreed, by sortOrder, then as sent. Review has their progress.')
  milestones!: AgreedMilestone[];
  @field.of(() => [AgreedDeliverable], 'The deliverables as agreed, by sortOrder, then as sent.')
  creatorDeliverables!: AgreedDeliverable[];
  @field.of(() => ContractTerms, 'The terms that hold now.') terms!: ContractTerms;
  @field.text('Given by who made the draft, and unique for that principal.', NULLABLE)
  externalReference!: string | null;
  @field.id('The principal that made the draft.') createdByPrincipal!: string;
  @field.int('The same as that of the contract.') revision!: number;
  @field.time('When the business signed; null until then.', NULLABLE) businessSignedAt!: string | null;
  @field.time('When the worker signed; null until then.', NULLABLE) workerSignedAt!: string | null;
  @field.day('The day it was, or will be, terminated on.', NULLABLE) terminationDate!: string | null;
  @field.text('Why it was returned to draft; null once submitted again.', NULLABLE) returnReason!: string | null;
  @field.text('Why it was cancelled.', NULLABLE) cancellationReason!: string | null;
}
