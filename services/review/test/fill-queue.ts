import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '@payroll/kernel';
import { sql, write } from '@payroll/store';

/** Rows per insert, because of the statement timeout. */
const PART = 5_000;

/** Inserts `howMany` submitted timesheets and as many milestones, one second apart, under an unknown contract. */
export async function fillQueue(em: EntityManager, workspaceId: string, howMany: number): Promise<void> {
  for (let done = 0; done < howMany; done += PART)
    await fillPart(em, workspaceId, done + 1, Math.min(done + PART, howMany));
}

async function fillPart(em: EntityManager, workspaceId: string, from: number, to: number): Promise<void> {
  const contractId = newId();
  const submittedAt = sql`now() + n * interval '1 second'`;
  await write(
    em,
    sql`insert into timesheet (workspace_id, id, contract_id, revision, status, period_start, period_end, units_worked,
        currency, rate, total, payment_scheduled_date, auto_pay_enabled, payment_sequence, submitted_at, created_at, updated_at)
      select ${workspaceId}, gen_random_uuid(), ${contractId}, 1, 'submitted', '2027-03-01', '2027-03-01', 8,
        'EUR', 50, 400, '2027-03-15', true, 0, ${submittedAt}, now(), now()
      from generate_series(${from}::int, ${to}::int) n`,
  );
  await write(
    em,
    sql`insert into milestone (workspace_id, id, contract_id, revision, title, status, currency, amount,
        payment_sequence, sort_order, draft_revision, created_at, updated_at)
      select ${workspaceId}, gen_random_uuid(), ${contractId}, 1, 'Part ' || n, 'submitted', 'EUR', 1500, 0, 0, 0,
        now(), ${submittedAt}
      from generate_series(${from}::int, ${to}::int) n`,
  );
}
