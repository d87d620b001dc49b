import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Holder } from './admit.js';
import type { Prepared } from './database.js';
import { note } from './history.js';
import { writeOnce } from './write-once.js';

interface Draft {
  title: string;
  employmentType: string;
  contractType: string;
  startDate: string;
  endDate: string;
  compensation: { currency: string; rate: number };
  invoicingSettings: { paymentDueDays: number };
}

const INSERT: Prepared = {
  name: 'contract',
  text: `insert into contract (workspace_id, id, revision, title, employment_type, contract_type, status, start_date,
      end_date, currency, rate, payment_due_days, auto_pay_enabled, timesheet_approval_required, draft,
      created_by_principal, created_at, updated_at)
    values ($1, $2, 1, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, true, true, $11, $12, $13, $13)`,
};

export async function createContract(
  pool: Pool,
  holder: Holder,
  request: FastifyRequest<{ Body: Draft }>,
): Promise<string> {
  const { workspaceId, principalId } = holder;
  const { title, employmentType, contractType, startDate, endDate, compensation, invoicingSettings } = request.body;
  const { currency, rate } = compensation;
  return await writeOnce(pool, holder, request, {
    command: 'contract.create-draft',
    status: 201,
    work: async (run, now) => {
      const id = randomUUID();
      const draft = JSON.stringify(request.body);
      await run(INSERT, [
        ...[workspaceId, id, title, employmentType, contractType, startDate, endDate, currency, rate],
        ...[invoicingSettings.paymentDueDays, draft, principalId, now],
      ]);
      const change = { contractId: id, status: 'draft', currency, rate };
      await note(run, {
        ...{ holder, requestId: request.id, now, subjectId: id, change },
        ...{ type: 'contract.changed', consumer: 'review' },
      });
      const fixed = { status: 'draft', worker: { id: null, name: null }, deletedAt: null };
      return { id, title, employmentType, contractType, startDate, endDate, ...fixed, createdAt: now, updatedAt: now };
    },
  });
}
