import type { EntityManager } from '@mikro-orm/postgresql';
import type { WorkAnswer, WorkerProfileAnswer, WorkerQuestion, WorkQuestion } from '@payroll/events';
import { columns, read, readOne, sql, computed } from '@payroll/store';
import { ContractTable, WorkerTable } from '../store/tables.js';

/** Answers review, which lets workers and clients submit work as their contract says. */
export async function answerWork(em: EntityManager, { workspaceId, contractId }: WorkQuestion): Promise<WorkAnswer> {
  const [contract] = await read(
    em,
    sql`select ${columns(ContractTable, 'workerId', 'startDate', 'endDate', 'draft')} from contract
      where workspace_id = ${workspaceId} and id = ${contractId} and deleted_at is null`,
  );
  if (!contract) return null;
  const { workerId, startDate, endDate, draft } = contract;
  return {
    ...{ workerId, firstDay: startDate, lastDay: endDate },
    isHourly: draft.compensation?.type === 'hourly',
    compensationType: draft.compensation?.type ?? null,
    paymentFrequency: draft.compensation?.paymentFrequency ?? null,
    isFirstProRata: draft.invoicingSettings?.firstPaymentMethod === 'pro_rata',
    submitter: draft.invoicingSettings?.timesheetSubmitter ?? null,
  };
}

export async function answerWorker(em: EntityManager, { workspaceId, workerId }: WorkerQuestion) {
  const exists = sql`exists (select from worker where workspace_id = ${workspaceId} and id = ${workerId})`;
  const [answer] = await read(em, sql`select ${computed('isKnown', 'boolean', exists)}`);
  return answer!;
}

export async function answerWorkerProfile(
  em: EntityManager,
  { workspaceId, workerId }: WorkerQuestion,
): Promise<WorkerProfileAnswer> {
  const hasSigned = sql`exists (select from contract c
    where c.workspace_id = worker.workspace_id and c.worker_id = worker.id and c.worker_signed_at is not null)`;
  return await readOne(
    em,
    sql`select ${columns(WorkerTable, 'name', 'email')}, ${computed('hasSigned', 'boolean', hasSigned)}
      from worker where workspace_id = ${workspaceId} and id = ${workerId}`,
  );
}
