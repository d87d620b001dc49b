import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readStatement, type StatementLine } from '@payroll/provider-protocol';
import { newId } from '@payroll/kernel';
import { repositoryRoot } from '@payroll/infra/processes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeVerdict, runConsistencyChecks, judgeNow, type ConsistencyResult } from '@payroll/tools/operate/judge';
import { seedDemo } from '@payroll/tools/demo/seed';
import { ownerOf, type Owner } from '../owner.js';
import { startSystem, type System } from '../support.js';

let system: System;
let database: Owner['database'];
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
  ({ database } = started.use(await ownerOf(system)));
});

afterAll(async () => await started.disposeAsync());

function wrong(verdicts: readonly ConsistencyResult[]): string[] {
  return verdicts.filter(({ findings }) => findings > 0).map(describeVerdict);
}

const oneOf = (table: string, where: string): string => `(select id from ${table} where ${where} limit 1)`;
const approved = oneOf('review.timesheet', 'payment_id is not null');
const completed = oneOf('payments.payment', `status = 'completed' and currency = 'EUR'`);

/** Faults written by the superuser, who may do what no service can, and the finding that each must cause. */
const DISAGREEMENTS: Readonly<Record<string, readonly [done: string, said: RegExp]>> = {
  'an approval whose payment is another one': [
    `update review.timesheet set payment_id = gen_random_uuid() where id = ${approved}`,
    /approved piece of work has its payment: 1 found.*\n +timesheet \S+ of workspace \S+ has no payment \S+/,
  ],
  'a payment for work that nobody approved': [
    `update review.timesheet set status = 'submitted' where id = ${approved}`,
    /for an approved piece of work: 1 found.*\n +payment \S+ of workspace \S+ pays timesheet \S+, which is not approved/,
  ],
  'a payment of more than was approved': [
    `update payments.payment set gross = gross + 1 where id = ${completed}`,
    /amount, currency and contract .*1 found.*\n +timesheet \S+ is [\d.]+ EUR, its payment \S+ is [\d.]+ EUR/,
  ],
  'work that takes its payment for cancelled': [
    `update review.timesheet set payment_status = 'cancelled' where payment_id = ${completed}`,
    /how the payment stands: 1 found.*\n +timesheet \S+ takes payment \S+ for cancelled, it is completed/,
  ],
  'orders of the provider that were last compared with an earlier generation of the database': [
    `update payments.order_check set generation = 'earlier'`,
    /compared with this database: 1 found.*\n +payments has not compared them yet/,
  ],
  'a net amount that no deduction explains': [
    `update payments.payment set net = net - 1 where id = ${completed}`,
    /less its deductions: 1 found.*\n +payment \S+: [\d.]+ less 0 is not [\d.]+/,
  ],
  'a posting that makes money': [
    `update payments.ledger_entry set amount = amount * 2
      where id = ${oneOf('payments.ledger_entry', `account = 'funding'`)}`,
    /adds up to zero .*1 found.*\n +posting \S+ of workspace \S+ is off by -[\d.]+ (EUR|USD)/,
  ],
  'a balance that its entries do not explain': [
    `update payments.ledger_account set balance = balance + 1 where (workspace_id, account, currency) =
      (select workspace_id, account, currency from payments.ledger_account where account = 'available' limit 1)`,
    /every balance .*1 found.*\n +available of workspace \S+ is [\d.]+ (EUR|USD), its entries add up to [\d.]+/,
  ],
  'a completed payment that is failed now': [
    `update payments.payment set status = 'failed' where id = ${completed}`,
    /settled in the ledger .*1 found.*\n +payment \S+ of workspace \S+ is failed and has 1 settlements/,
  ],
  'money in flight for a payment that is not under way': [
    `update payments.payment set status = 'pending' where status = 'processing'`,
    /in flight .*1 found.*\n +workspace \S+: [\d.]+ EUR are in flight, 0 are being processed/,
  ],
  'an attempt that went back to being under way': [
    `update payments.payout_attempt set status = 'submitted' where payment_id = ${completed}`,
    /under way, .*1 found.*\n +payment \S+ of workspace \S+ is completed over [\d.]+ EUR, and attempt 1 over \S+ EUR is/,
  ],
  'a settled attempt of another amount': [
    `update payments.payout_attempt set amount = amount + 1 where payment_id = ${completed}`,
    /payout of its net that settled, .*1 found.*\n +payment \S+ .* is completed over \S+ EUR, and attempt 1 over \S+ EUR settled/,
  ],
  'a declined attempt whose money the ledger took for settled': [
    `update payments.payout_attempt set status = 'settled' where status = 'declined'`,
    /moved for each payout .*1 found.*\n +attempt 1 of payment \S+ .* is settled over \S+ EUR, the ledger moved release -\S+ EUR, res/,
  ],
  'a payout that paid less than it should, and owes nobody the rest': [
    `update payments.payout_attempt set heard = jsonb_set(heard, '{amount,amount}', '"1.00"') where payment_id = ${completed}`,
    /paid too little or too much: 1 found.*\n +payment \S+ of workspace \S+: payouts paid -[\d.]+ EUR more than they should, the ledger says 0/,
  ],
  'an order of the provider whose work is lost': [
    `insert into payments.unclaimed_order
      select workspace_id, gen_random_uuid(), 'open', 'milestone:${newId()}:1', worker_id, payout_method, destination, currency, amount,
        'their reference', now(), now(), now() from payments.payout_attempt limit 1`,
    /made by a payment here: 1 found.*\n +the provider has an order of \S+ \S+ under milestone:\S+:1 \(their reference\), whose work/,
  ],
  'an event that nobody has confirmed': [
    `insert into review.outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
      values (${oneOf('review.outbox_event', `type = 'timesheet.approved'`)}, 'payments', now(), 1, now())`,
    /confirmed by every service .*1 found.*\n +timesheet.approved \S+ of review waits for payments since/,
  ],
  'an event that was confirmed and never applied': [
    `insert into review.outbox_event (id, workspace_id, type, about_id, body, recorded_at)
      values (gen_random_uuid(), gen_random_uuid(), 'timesheet.approved', gen_random_uuid(), '{}', now())`,
    /has confirmed it has applied: 1 found.*\n +payments has confirmed timesheet.approved \S+ of review and has not/,
  ],
  'an event that could not be applied': [
    `insert into payments.dead_letter (event_id, workspace_id, type, event, reason, buried_at)
      values (gen_random_uuid(), gen_random_uuid(), 'timesheet.approved', '{}', 'no such contract', now())`,
    /waits for a person: 1 found.*\n +payments could not apply timesheet.approved \S+: no such contract/,
  ],
};

it('reconcile has no finding for a healthy system', async () => {
  await expect.poll(async () => wrong(await runConsistencyChecks(database)), { timeout: 20_000 }).toEqual([]);
});

it.each(Object.entries(DISAGREEMENTS))('reconcile reports %s', async (_, [done, said]) => {
  await database.query('begin');
  try {
    expect((await database.query(done)).rowCount).toBe(1);
    expect(wrong(await judgeNow(database))).toContainEqual(expect.stringMatching(said));
  } finally {
    await database.query('rollback');
  }
});

/** Changes to the provider's statement, and the finding that each must cause. */
const STATEMENTS: Readonly<Record<string, readonly [change: (line: StatementLine) => StatementLine[], said: RegExp]>> =
  {
    'a payout that nobody here has ordered': [
      (line) => [line, { ...line, idempotencyKey: `milestone:${crypto.randomUUID()}:1`, reference: 'stray' }],
      /was ordered here: 1 found.*\n +the provider has settled \S+ EUR under milestone:\S+:1 \(stray\), which nobody has/,
    ],
    'a payout of another amount, to somebody else': [
      (line) => [{ ...line, amount: '1.00', destination: 'elsewhere' }],
      /paid what was ordered: 1 found.*\n +attempt 1 of payment \S+ .* is \S+ EUR, the provider has 1.00 EUR to another dest/,
    ],
    'a payout that it declined and we take for settled': [
      (line) => [{ ...line, status: 'declined' }],
      /at the provider is known here: 1 found.*\n +the provider has declined attempt 1 of payment \S+ .*, here it is settled/,
    ],
    'a payout that it has not made': [
      () => [],
      /was so at the provider: 1 found.*\n +attempt 1 of payment \S+ \(timesheet:\S+\) over \S+ EUR is settled, and not in/,
    ],
    'a payout that it has made twice': [
      (line) => [line, { ...line, reference: 'second' }],
      /a piece of work once: 1 found.*\n +timesheet:\S+ was paid 2 times: \S+ EUR \(.+\), \S+ EUR \(.+\)/,
    ],
  };

it.each(Object.entries(STATEMENTS))('reconcile with a statement reports %s', async (_, [change, said]) => {
  const { url, key } = system.stack.file.provider;
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
  const { periods, lines } = readStatement(await answer.text());
  expect(wrong(await runConsistencyChecks(database, { periods, lines }))).toEqual([]);
  const at = lines.findIndex(({ status, currency }) => status === 'settled' && currency === 'EUR');
  const otherwise = lines.toSpliced(at, 1, ...change(lines[at]!));
  expect(wrong(await runConsistencyChecks(database, { periods, lines: otherwise }))).toContainEqual(
    expect.stringMatching(said),
  );
});

it('npm run statement covers a transfer that was under way for nine days', async () => {
  const program = join(repositoryRoot, 'tools/dist/operate/statement.js');
  const env = { ...process.env, STACK_DIR: system.stack.dir };
  const { periods, lines } = readStatement((await promisify(execFile)(process.execPath, [program], { env })).stdout);
  const transfer = lines.find(({ status }) => status === 'settled')!;
  await database.query('begin');
  try {
    const { rowCount } = await database.query(
      `update payments.payout_attempt set created_at = created_at - interval '9 days' where idempotency_key = $1`,
      [transfer.idempotencyKey],
    );
    expect(rowCount).toBe(1);
    const without = lines.filter((line) => line !== transfer);
    expect(wrong(await judgeNow(database, { periods, lines: without }))).toContainEqual(
      expect.stringMatching(/was so at the provider: 1 found/),
    );
  } finally {
    await database.query('rollback');
  }
});

it('reconcile accepts an order that a payment took over days after the provider had settled it', async () => {
  const { url, key } = system.stack.file.provider;
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
  const { periods, lines } = readStatement(await answer.text());
  const taken = lines.find(({ status, currency }) => status === 'settled' && currency === 'EUR')!;
  await database.query('begin');
  try {
    // As a restore, and then two people of finance, leave it: ordered and settled two days ago, claimed today.
    const { rowCount } = await database.query(
      `insert into payments.unclaimed_order
        select workspace_id, gen_random_uuid(), 'claimed', idempotency_key, worker_id, payout_method, destination, currency, amount,
          provider_reference, now() - interval '2 days', created_at, updated_at
        from payments.payout_attempt where idempotency_key = $1`,
      [taken.idempotencyKey],
    );
    expect(rowCount).toBe(1);
    expect(wrong(await judgeNow(database, { periods, lines: lines.filter((line) => line !== taken) }))).toEqual([]);
  } finally {
    await database.query('rollback');
  }
});

it('reconcile accepts that the order of one piece of work has paid another, and that the first was then paid under its next key', async () => {
  const { url, key } = system.stack.file.provider;
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
  const { periods, lines } = readStatement(await answer.text());
  const [own, other] = lines.filter(({ status }) => status === 'settled');
  const next = own!.idempotencyKey.replace(/1$/, '2');
  const rename = 'update payments.payout_attempt set idempotency_key = $2 where idempotency_key = $1';
  await database.query('begin');
  try {
    // As two people of finance leave it who claimed the first order for the other payment.
    await database.query(rename, [own!.idempotencyKey, next]);
    await database.query(rename, [other!.idempotencyKey, own!.idempotencyKey]);
    const claimed = lines.map((line) => {
      if (line === own) return { ...line, idempotencyKey: next };
      return line === other ? { ...line, idempotencyKey: own!.idempotencyKey } : line;
    });
    expect(wrong(await judgeNow(database, { periods, lines: claimed }))).toEqual([]);
  } finally {
    await database.query('rollback');
  }
});
