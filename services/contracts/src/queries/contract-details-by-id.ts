import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { part, readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { ContractDetails } from '../domain/contract.js';
import type { KeptDraft } from '../domain/draft.js';
import { inOrder } from '../domain/draft.js';
import { changeTerms, type ContractTerms } from '../domain/terms.js';

/** What lists leave out, read only where it is asked for. */
export function contractDetailsById(em: EntityManager): Fetch<ContractDetails> {
  return async (keys) => {
    const rows = await readByKeys<DetailsRow & { id: string }>(em, 'contract', COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toDetails(row)]));
  };
}

const COLUMNS = part`id, revision, draft, currency, rate, payment_due_days as "paymentDueDays",
  auto_pay_enabled as "autoPayEnabled", timesheet_approval_required as "timesheetApprovalRequired",
  auto_approve_after_days as "autoApproveAfterDays", termination_date as "terminationDate",
  created_by_principal as "createdByPrincipal", external_reference as "externalReference",
  business_signed_at as "businessSignedAt", worker_signed_at as "workerSignedAt",
  return_reason as "returnReason", cancellation_reason as "cancellationReason"`;

interface DetailsRow extends Omit<ContractDetails, keyof KeptDraft | 'terms'>, ContractTerms {
  draft: KeptDraft;
  externalReference: string | null;
  terminationDate: string | null;
}

function toDetails({ draft, businessSignedAt, workerSignedAt, ...row }: DetailsRow): ContractDetails {
  return {
    ...draft,
    milestones: inOrder(draft.milestones),
    externalReference: row.externalReference,
    createdByPrincipal: row.createdByPrincipal,
    revision: row.revision,
    terms: changeTerms(row, {}),
    terminationDate: row.terminationDate,
    returnReason: row.returnReason,
    cancellationReason: row.cancellationReason,
    businessSignedAt: businessSignedAt === null ? null : toInstant(businessSignedAt),
    workerSignedAt: workerSignedAt === null ? null : toInstant(workerSignedAt),
  };
}
