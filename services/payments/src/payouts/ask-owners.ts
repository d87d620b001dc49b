import type { EntityManager } from '@mikro-orm/postgresql';
import { type WorkerAnswer, type WorkerQuestion, WORKER_QUESTION } from '@payroll/events';
import { isId, toInstant, unavailable } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import { sql } from 'kysely';
import { keepBusiness, keepContractWorker } from '../commands/keep-parties.js';
import type { KnownWorkerId } from '../commands/payees.js';
import type { Learned } from '../domain/payout.js';
import { invalid } from '../domain/values.js';

/** Null when there is no such payment. */
export type LearnParties = (workspaceId: string, paymentId: string) => Promise<Learned | null>;

/**
 * Asks the owners of what decides over a payment for their newest event, each time anew: one that is still on its way may
 * say that the business is no longer verified, or who the worker is. Owners delete in time what every consumer has
 * confirmed, so no event means that there is nothing newer than what is kept here.
 * @throws DomainError `SERVICE_UNAVAILABLE` when an owner cannot be asked, or no event ever came: the payment stays pending.
 */
export function learnParties({ em, learn }: Pick<ServiceParts, 'em' | 'learn'>): LearnParties {
  return async (workspaceId, paymentId) => {
    const kept = await readKept(em, workspaceId, paymentId);
    if (!kept) return null;
    const { contractId, contractRevision, businessRevision } = kept;
    const [contract, business] = await Promise.all([
      learn({ 'contract.changed': keepContractWorker }, { workspaceId, aboutId: contractId }, ({ body }) =>
        isNewer(body, contractRevision),
      ),
      learn({ 'business.changed': keepBusiness }, { workspaceId, aboutId: workspaceId }, ({ body }) =>
        isNewer(body, businessRevision),
      ),
    ]);
    return {
      askedAt: toInstant(kept.askedAt),
      contractRevision: newestOf(contract?.body.revision, contractRevision),
      businessRevision: newestOf(business?.body.revision, businessRevision),
    };
  };
}

interface Kept {
  contractId: string;
  contractRevision: number | null;
  businessRevision: number | null;
  askedAt: string;
}

async function readKept(em: EntityManager, workspaceId: string, paymentId: string): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select payment.contract_id as "contractId", contract_worker.revision as "contractRevision",
      business.revision as "businessRevision", clock_timestamp() as "askedAt"
    from payment
    left join contract_worker
      on contract_worker.workspace_id = payment.workspace_id and contract_worker.contract_id = payment.contract_id
    left join business on business.workspace_id = payment.workspace_id
    where payment.workspace_id = ${workspaceId} and payment.id = ${paymentId}`.execute(em.getKysely());
  return rows[0];
}

function isNewer({ revision }: { revision: number }, kept: number | null): boolean {
  return kept === null || revision > kept;
}

function newestOf(told: number | undefined, kept: number | null): number {
  if (told === undefined && kept === null) throw unavailable('What decides over the payment');
  return Math.max(told ?? 0, kept ?? 0);
}

export type KnowWorker = (workspaceId: string, workerId: string) => Promise<KnownWorkerId>;

const TIMEOUT_MS = 2_000;

/**
 * Asks contracts, which alone knows the workers, whether the workspace has this one.
 * @throws DomainError `VALIDATION_FAILED` when it has none; `SERVICE_UNAVAILABLE` when contracts does not answer.
 */
export function knowWorker({ bus }: Pick<ServiceParts, 'bus'>): KnowWorker {
  return async (workspaceId, workerId) => {
    if (!isId(workerId)) throw invalid('workerId', 'format', 'workerId is a UUID.');
    const question: WorkerQuestion = { workspaceId, workerId };
    const { isKnown } = (await bus.request(WORKER_QUESTION, question, TIMEOUT_MS)) as WorkerAnswer;
    if (!isKnown) throw invalid('workerId', 'unknown', 'There is no such worker in this workspace.');
    return workerId as KnownWorkerId;
  };
}
