import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant, unavailable } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import { sql } from 'kysely';
import { keepBusiness } from '../commands/keep-business.js';
import { keepContractWorker } from '../commands/keep-contract-worker.js';
import type { Learned } from '../domain/learned.js';

/** Null when there is no such payment. */
export type LearnParties = (workspaceId: string, paymentId: string) => Promise<Learned | null>;

/**
 * Asks the owners of what decides over a payment for their newest word, each time anew: an event that is still on its way
 * may say that the business is not verified any more, or who the worker is. They forget in time what every consumer has
 * confirmed, so no answer means that there is nothing newer than what is kept here.
 * @throws DomainError `SERVICE_UNAVAILABLE` when an owner cannot be asked, or nobody has ever told: the payment stays
 * pending.
 */
export function learnParties({ em, learn }: Pick<ServiceParts, 'em' | 'learn'>): LearnParties {
  return async (workspaceId, paymentId) => {
    const kept = await whatIsKept(em, workspaceId, paymentId);
    if (!kept) return null;
    const [contract, business] = await Promise.all([
      learn({ 'contract.changed': keepContractWorker }, { workspaceId, aboutId: kept.contractId }, ({ body }) =>
        isNewer(body, kept.contractRevision),
      ),
      learn({ 'business.changed': keepBusiness }, { workspaceId, aboutId: workspaceId }, ({ body }) =>
        isNewer(body, kept.businessRevision),
      ),
    ]);
    return {
      askedAt: toInstant(kept.askedAt),
      contractRevision: newestOf(contract?.body.revision, kept.contractRevision),
      businessRevision: newestOf(business?.body.revision, kept.businessRevision),
    };
  };
}

interface Kept {
  contractId: string;
  contractRevision: number | null;
  businessRevision: number | null;
  askedAt: string;
}

async function whatIsKept(em: EntityManager, workspaceId: string, paymentId: string): Promise<Kept | undefined> {
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
