import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type WorkerActor, unavailable } from '@payroll/kernel';
import { ASKED_KEY, type BatchFetch, ofKeys, type ServiceDependencies } from '@payroll/service';
import { computed, columns, read, readOne, sql, type TableRow } from '@payroll/store';
import { AgreementTable, ContractTable, BusinessTable } from '../store/tables.js';
import { projectBusiness } from '../commands/apply-events.js';
import type { Business } from '../domain/agreement-text.js';

export type FixedText = TableRow<typeof AgreementTable>;

/** The frozen texts of contracts: the contract itself first, then its amendments in order. */
export function fixedTexts(em: EntityManager): BatchFetch<FixedText[]> {
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${columns(AgreementTable)} from ${asked}
      join agreement on agreement.workspace_id = asked.workspace_id and agreement.contract_id = asked.id order by number`,
    (rows) => rows,
  );
}

const MINE = sql`${columns(ContractTable, 'id', 'title', 'status', 'startDate', 'endDate', 'cancellationReason')},
  ${columns(AgreementTable, 'text', 'digest', 'businessSignedAt', 'workerSignedAt', 'changesAsked', 'changesAskedAt')},
  ${computed('sentAt', 'timestamptz', sql`agreement.made_at`)},
  ${computed(
    'openAmendment',
    'int?',
    sql`(select max(proposal.number) from agreement proposal
    where proposal.workspace_id = contract.workspace_id and proposal.contract_id = contract.id
      and proposal.proposed is not null and proposal.worker_signed_at is null and proposal.withdrawn_at is null)`,
  )}`;

/** More than anybody has with one employer. */
const MOST = 200;

/**
 * A worker's contracts whose text was sent for signature, newest first: a draft is the business's own. The worker can always read
 * the contracts that they have signed, also those that the business has deleted since.
 */
export async function myContracts(em: EntityManager, { workspaceId, workerId }: WorkerActor, id?: string) {
  if (id !== undefined && !isId(id)) return [];
  return await read(
    em,
    sql`select ${MINE} from contract
      join agreement on agreement.workspace_id = contract.workspace_id and agreement.contract_id = contract.id
        and agreement.number = 0
      where contract.workspace_id = ${workspaceId} and contract.worker_id = ${workerId}
        and (contract.deleted_at is null or agreement.worker_signed_at is not null)
        ${id === undefined ? sql`` : sql`and contract.id = ${id}`}
      order by agreement.made_at desc, contract.id limit ${MOST}`,
  );
}

/** The amendments of a worker's contract, in their order. */
export async function myAmendments(em: EntityManager, { workspaceId, workerId }: WorkerActor, contractId: string) {
  return await read(
    em,
    sql`select ${columns(AgreementTable, 'number', 'text', 'digest', 'holdsFrom', 'workerSignedAt')},
        ${computed('isOpen', 'boolean', sql`proposed is not null and agreement.worker_signed_at is null`)}
      from agreement
      join contract on contract.workspace_id = agreement.workspace_id and contract.id = agreement.contract_id
      where contract.workspace_id = ${workspaceId} and contract.worker_id = ${workerId} and contract.id = ${contractId}
        and agreement.number > 0 and withdrawn_at is null
      order by number`,
  );
}

/**
 * The business of a workspace. Fetches the event of a new workspace if it has not arrived: its first contract may be
 * signed within a second.
 * @throws DomainError `SERVICE_UNAVAILABLE` when workspaces cannot be reached.
 */
export async function knowBusiness(
  parts: Pick<ServiceDependencies, 'em' | 'learn'>,
  workspaceId: string,
): Promise<Business> {
  const known = await findBusiness(parts, workspaceId);
  if (known) return known;
  await parts.learn({ 'business.changed': projectBusiness }, { workspaceId, aboutId: workspaceId });
  const learned = await findBusiness(parts, workspaceId);
  if (!learned) throw unavailable('The name of the business');
  return learned;
}

async function findBusiness({ em }: Pick<ServiceDependencies, 'em'>, workspaceId: string): Promise<Business | null> {
  const shown = columns(BusinessTable, 'name', 'country');
  return await readOne(em, sql`select ${shown} from business where workspace_id = ${workspaceId}`);
}

export async function workerOfContract(em: EntityManager, workspaceId: string, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const [contract] = await read(
    em,
    sql`select ${columns(ContractTable, 'workerId')} from contract where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return contract?.workerId ?? null;
}
