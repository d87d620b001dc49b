import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { DRAFT } from '../requests.js';
import { audit, writeOnce, type Holder } from './write-once.js';

/** The columns that the code reads by name; the others are only shown. */
export type ContractRow = Record<'id' | 'updatedAt', string> &
  Record<'workerId' | 'workerName', string | null> & { creator: object | null };

/** The fields of a detail; a list leaves the creator's terms out. */
export function detailOf({ workerId, workerName, ...row }: ContractRow) {
  return { ...row, worker: { id: workerId, name: workerName } };
}

export function contractOf(row: ContractRow): object {
  const { creator: _creator, ...shown } = detailOf(row);
  return shown;
}

export async function createContract(
  pool: Pool,
  holder: Holder,
  request: FastifyRequest<{ Body: typeof DRAFT }>,
): Promise<string> {
  const { workspaceId, principalId } = holder;
  const { title, employmentType, contractType, startDate, endDate, compensation, invoicingSettings } = request.body;
  const { currency, rate } = compensation;
  return await writeOnce(pool, holder, request, {
    command: 'contract.create-draft',
    work: async (run, now) => {
      const id = randomUUID();
      const draft = JSON.stringify(request.body);
      await run('contract', [
        ...[workspaceId, id, title, employmentType, contractType, startDate, endDate, currency, rate],
        ...[invoicingSettings.paymentDueDays, draft, principalId, now],
      ]);
      const change = { contractId: id, status: 'draft', currency, rate };
      await audit(run, { holder, requestId: request.id, now, type: 'contract.draft-created', subjectId: id, change });
      const fixed = { status: 'draft', worker: { id: null, name: null }, deletedAt: null };
      return { id, title, employmentType, contractType, startDate, endDate, ...fixed, createdAt: now, updatedAt: now };
    },
  });
}
