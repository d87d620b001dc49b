import { ask, WORKER_ACCESS_QUESTION, WORKER_QUESTION } from '@payroll/events';
import { DomainError, isId, unavailable, invalid } from '@payroll/kernel';
import { Calendar, type ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql } from '@payroll/store';
import { projectBusiness, projectContractWorker } from '../commands/apply-events.js';
import type { KnownWorkerId } from '../commands/payees.js';
import type { PartyFreshness } from '../domain/payout.js';
import { PaymentTable } from '../store/tables.js';

/**
 * Fetches the newest contract and business events from their owners, every time: an event still in transit may say
 * that the business is no longer verified, or who the worker is. Owners delete events that every consumer has
 * confirmed, so no event means that nothing is newer than the stored rows. Null if there is no such payment.
 * @throws DomainError `SERVICE_UNAVAILABLE` if an owner cannot be reached, or no event has ever arrived: the payment
 * stays pending.
 */
export async function refreshParties(
  { em, learn, deployment }: Pick<ServiceDependencies, 'em' | 'learn' | 'deployment'>,
  workspaceId: string,
  paymentId: string,
): Promise<PartyFreshness | null> {
  const [kept] = await read(
    em,
    sql`select ${columns(PaymentTable, 'contractId')}, ${computed('askedAt', 'timestamptz', sql`clock_timestamp()`)},
        ${computed('contractRevision', 'int?', sql`contract_worker.revision`)},
        ${computed('businessRevision', 'int?', sql`business.revision`)},
        ${computed('daysAhead', 'int', new Calendar({ deployment }).of(workspaceId))}
      from payment
      left join contract_worker
        on contract_worker.workspace_id = payment.workspace_id and contract_worker.contract_id = payment.contract_id
      left join business on business.workspace_id = payment.workspace_id
      where payment.workspace_id = ${workspaceId} and payment.id = ${paymentId}`,
  );
  if (!kept) return null;
  const { askedAt, contractId, contractRevision, businessRevision, daysAhead } = kept;
  const [contract, business] = await Promise.all([
    learn({ 'contract.changed': projectContractWorker }, { workspaceId, aboutId: contractId }, ({ body }) =>
      isNewer(body, contractRevision),
    ),
    learn({ 'business.changed': projectBusiness }, { workspaceId, aboutId: workspaceId }, ({ body }) =>
      isNewer(body, businessRevision),
    ),
  ]);
  return {
    askedAt,
    contractRevision: newestOf(contract?.body.revision, contractRevision),
    businessRevision: newestOf(business?.body.revision, businessRevision),
    daysAhead,
  };
}

function isNewer({ revision }: { revision: number }, kept: number | null): boolean {
  return kept === null || revision > kept;
}

function newestOf(told: number | undefined, kept: number | null): number {
  if (told === undefined && kept === null) throw unavailable('Contract or business data for this payout');
  return Math.max(told ?? 0, kept ?? 0);
}

/**
 * Asks contracts, which owns the workers, whether the workspace has this one.
 * @throws DomainError `VALIDATION_FAILED` if it has not; `SERVICE_UNAVAILABLE` if contracts does not answer.
 */
export async function requireKnownWorker(
  { bus }: Pick<ServiceDependencies, 'bus'>,
  workspaceId: string,
  workerId: string,
): Promise<KnownWorkerId> {
  if (!isId(workerId)) throw invalid('workerId', 'format', 'workerId must be a UUID.');
  const { isKnown } = await ask(bus, WORKER_QUESTION, { workspaceId, workerId });
  if (!isKnown) throw invalid('workerId', 'unknown', 'This workspace has no such worker.');
  return workerId as KnownWorkerId;
}

/**
 * Asks workspaces whether the worker signs in: then their payout details are entered by them alone.
 * @throws DomainError `INVALID_STATE` if so; `SERVICE_UNAVAILABLE` if workspaces does not answer.
 */
export async function requireNoAccess(
  { bus }: Pick<ServiceDependencies, 'bus'>,
  workspaceId: string,
  workerId: string,
): Promise<void> {
  const { hasAccess } = await ask(bus, WORKER_ACCESS_QUESTION, { workspaceId, workerId });
  if (!hasAccess) return;
  throw new DomainError('INVALID_STATE', 'This worker signs in and enters their payout details themselves.');
}
