import type { EntityManager } from '@mikro-orm/postgresql';
import { readWorkQuestion, type WorkAnswer } from '@payroll/events';
import { isId } from '@payroll/kernel';
import { columns, read, sql } from '@payroll/store';
import { ContractTable } from './tables.js';

/** Answers review, which lets workers and clients submit work as their contract says. */
export async function answerWork(em: EntityManager, body: unknown): Promise<WorkAnswer> {
  const { workspaceId, contractId } = readWorkQuestion(body);
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
    submitter: draft.invoicingSettings?.timesheetSubmitter ?? null,
  };
}

export async function workerOfContract(em: EntityManager, workspaceId: string, id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const [contract] = await read(
    em,
    sql`select ${columns(ContractTable, 'workerId')} from contract where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return contract?.workerId ?? null;
}
