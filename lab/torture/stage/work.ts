import type { Pool } from 'pg';
import { ask, instruct, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { byMilestone, contractIn, hourly, registerWorker, submitMilestones } from '@payroll/tools/demo/steps';

export interface Piece {
  workspace: string;
  kind: 'timesheet' | 'milestone';
  id: string;
  version: string;
  /** Its payment is due as soon as it is approved. */
  isPaidAtOnce: boolean;
}

interface Kind {
  kind: Piece['kind'];
  /** The payee's destination, which scripts the sandbox provider. */
  destination: string;
  /** The share of all pieces of work. */
  share: number;
  /** Only for timesheets. */
  dueDays?: number;
}

const ORDINARY = 'DE89 3704 0044 0532 0130 00';

/** The first kinds are paid on their day, years from now; the others at once. */
const KINDS: readonly Kind[] = [
  { kind: 'timesheet', destination: ORDINARY, share: 0.75, dueDays: 3_650 },
  { kind: 'timesheet', destination: ORDINARY, share: 0.05, dueDays: 0 },
  { kind: 'milestone', destination: ORDINARY, share: 0.07 },
  { kind: 'milestone', destination: 'sandbox:settles-later', share: 0.06 },
  { kind: 'milestone', destination: 'sandbox:times-out', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:answer-lost', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:declines', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:order-lost', share: 0.01 },
];

/** Copies a row, each copy a microsecond newer and with an amount that no other piece of work of the run has. */
const copiesOf = (table: string, amounts: string) => `
  insert into ${table} select copy.* from ${table} t, generate_series(1, $2::int) n,
    jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${amounts},
      'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us')) copy
  where t.id = $1`;

const COPIES = {
  timesheet: copiesOf('review.timesheet', `'units_worked', t.units_worked + n * 0.01, 'total', t.total + n * 0.01`),
  milestone: copiesOf('review.milestone', `'amount', t.amount + n * 0.01`),
};

/** Ranges of amounts do not overlap between contracts; in hundredths. */
let amountsBegun = 0;
const APART = 1_000;

/**
 * Creates funds, workers and contracts through the graph, with one piece of work of each kind; the others are copies.
 */
export async function handIn(access: GraphqlAccess, database: Pool, pieces: number): Promise<string[]> {
  await instruct(access, REQUEST_FUNDING, transferOf('900000000', 'EUR'));
  const contracts: string[] = [];
  for (const kind of KINDS) {
    const worker = await registerWorker(access, `Wil Worker ${crypto.randomUUID().slice(0, 8)}`, 'torture.example');
    await payTo(access, worker.id, kind.destination);
    const amount = String(100 + APART * amountsBegun++);
    const { contractId, id } = await firstOf(kind, access, worker, amount);
    await database.query(COPIES[kind.kind], [id, Math.max(Math.round(pieces * kind.share) - 1, 0)]);
    contracts.push(contractId);
  }
  return contracts;
}

async function firstOf({ kind, dueDays = 0 }: Kind, access: GraphqlAccess, worker: { id: string }, amount: string) {
  if (kind === 'timesheet') {
    const byHour = hourly('Tortured', 'EUR', '1', { invoicingSettings: { paymentDueDays: dueDays } });
    const contractId = await contractIn(access, worker, byHour, 'active');
    const period = { periodStart: '2026-10-01', periodEnd: '2026-10-31' };
    const input = { contractId, ...period, unitsWorked: amount };
    return { contractId, ...(await ask<{ id: string }>(access, SUBMIT_TIMESHEET, { input })) };
  }
  const contractId = await contractIn(access, worker, byMilestone('Tortured', [amount]), 'active');
  return { contractId, id: (await submitMilestones(access, contractId))[0]!.id };
}
