import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, readdir, rm, stat, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { readStatement, type Statement } from '@payroll/provider-protocol';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeVerdict, judge } from '../../../care/judge.js';
import { ask, instruct, type GraphqlAccess } from '../../../demo/graphql-client.js';
import {
  APPROVE_TIMESHEET,
  MILESTONES_OF,
  PAYMENT,
  REJECT_TIMESHEET,
  REQUEST_FUNDING,
  SUBMIT_MILESTONE,
} from '../../../demo/operations.js';
import { payTo } from '../../../demo/seed-payments.js';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '../../../demo/steps.js';
import { repositoryRoot } from '../../../local/processes.js';
import { ordersOf } from '../../../torture/checker/testimony.js';
import { DatabaseSwitch } from '../../../torture/database-switch.js';
import { submittedMilestones } from '../milestones.js';
import { startSystem, type System } from '../support.js';

// The database is brought back as it was at a moment, by infra/care/archive.sh; the provider's orders are elsewhere and stay.

const started = new AsyncDisposableStack();
let system: System;
let database: DatabaseSwitch;
let dataDir: string;
let archiveDir: string;

beforeAll(async () => {
  system = started.use(await startSystem());
  database = new DatabaseSwitch(system.stack.database.adminUrl);
  await startArchiving();
});
afterAll(async () => await started.disposeAsync());

const STEP = {
  title: 'By milestones',
  contractType: 'contractor_milestone',
  startDate: '2026-01-01',
  compensation: { type: 'milestone', currency: 'EUR' },
  milestones: [{ title: 'A step', amount: '100' }],
};

const eventually = { timeout: 60_000, interval: 200 };

/** Where the user that Postgres runs as may run it. */
const script = (): string => join(system.stack.dir, 'archive.sh');

async function startArchiving(): Promise<void> {
  const { dir, postgres } = system.stack;
  dataDir = join(dir, 'postgres', 'data');
  archiveDir = join(dir, 'archive');
  await copyFile(join(repositoryRoot, 'infra/care/archive.sh'), script());
  await mkdir(join(dir, 'bin'));
  await symlink(join(import.meta.dirname, 'psql.mjs'), join(dir, 'bin', 'psql'));
  await mkdir(archiveDir);
  const { uid, gid } = await stat(dataDir);
  await chown(archiveDir, uid, gid);
  const settings = { archive_mode: 'on', archive_command: `ARCHIVE=${archiveDir} ${script()} keep "%p" %f` };
  for (const [name, value] of Object.entries(settings)) {
    await database.rows(`alter system set ${name} = '${value}'`, [], 'postgres');
  }
  await postgres.stop();
  await postgres.start();
}

async function baseBackup(): Promise<void> {
  const env = {
    PATH: [join(system.stack.dir, 'bin'), process.env['PATH']].join(delimiter),
    ...{ PGURL: system.stack.database.adminUrl, PGDATA: dataDir, ARCHIVE: archiveDir },
  };
  await promisify(execFile)(script(), ['base'], { env });
}

/** The disk of Postgres is lost with all that is on it; what the archive has is brought back as of the moment. */
async function recoverTo(moment: string): Promise<void> {
  const { postgres } = system.stack;
  await postgres.stop();
  const { uid, gid } = await stat(dataDir);
  await rm(dataDir, { recursive: true });
  const env = { PATH: process.env['PATH'], PGDATA: dataDir, ARCHIVE: archiveDir };
  await promisify(execFile)(script(), ['recover', moment], { env, uid, gid, cwd: join(dataDir, '..') });
  await postgres.start();
  // Until then it answers reads alone.
  await expect.poll(() => database.rows('select pg_is_in_recovery() as is'), eventually).toEqual([{ is: false }]);
}

/** Resolves when all that has been written so far is in the archive. */
async function archived(): Promise<void> {
  const [written] = await database.rows<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
  const last = (): Promise<{ segment: string }[]> =>
    database.rows('select last_archived_wal as segment from pg_stat_archiver where last_archived_wal >= $1', [
      written!.segment,
    ]);
  await expect.poll(last, eventually).toHaveLength(1);
}

async function approve({ id, version }: Submitted): Promise<void> {
  const { admin } = system.workspaces[0].apiKeys;
  const answer = () => system.rest(admin, 'POST', `/milestones/${id}/approve`, { expectedVersion: version });
  await expect.poll(async () => (await answer()).status, eventually).toBe(200);
}

async function statusOf({ id }: Submitted): Promise<unknown> {
  return (await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/milestones/${id}`)).body['status'];
}

const isPaid = (piece: Submitted): Promise<void> => expect.poll(() => statusOf(piece), eventually).toBe('paid');

/** The keys of all orders that the provider has ever had. */
async function orders(): Promise<string[]> {
  const ordered = await ordersOf(system.stack.file.provider);
  return ordered.map(({ idempotencyKey }) => idempotencyKey).toSorted();
}

async function attempts(): Promise<string[]> {
  const rows = await database.rows<{ key: string }>(
    'select idempotency_key as key from payments.payout_attempt order by 1',
  );
  return rows.map(({ key }) => key);
}

/** What `reconcile` says is wrong. */
async function wrong(statement?: Statement): Promise<string[]> {
  const owner = new Client(system.stack.database.ownerUrl);
  await owner.connect();
  try {
    return (await judge(owner, statement)).filter(({ findings }) => findings > 0).map(describeVerdict);
  } finally {
    await owner.end();
  }
}

const nothingIsWrong = (): Promise<void> => expect.poll(() => wrong(), eventually).toEqual([]);

async function statementOfToday(): Promise<Statement> {
  const { url, key } = system.stack.file.provider;
  const day = new Date().toISOString().slice(0, 10);
  const answer = await fetch(`${url}/statements/${day}`, { headers: { authorization: `Bearer ${key}` } });
  return readStatement(await answer.text());
}

it('recovered to a moment between an approval and its payout, the database pays what it has approved, once, and nothing else', async () => {
  const work = await submittedMilestones(system.access(), 4);
  const [before, after, between, lost] = work as [Submitted, Submitted, Submitted, Submitted];
  await approve(before);
  await isPaid(before);
  await baseBackup();
  await approve(after);
  await isPaid(after);
  await database.cutOff('payments');
  await approve(between);
  const [{ moment }] = (await database.rows<{ moment: string }>('select clock_timestamp()::text as moment')) as [
    { moment: string },
  ];
  await database.letIn('payments');
  await isPaid(between);
  await approve(lost);
  await isPaid(lost);
  const ordered = await orders();
  expect(ordered).toHaveLength(4);
  await archived();

  await recoverTo(moment);
  // As of that moment it could not log in.
  await database.letIn('payments');
  for (const piece of [before, after, between]) await isPaid(piece);
  await nothingIsWrong();
  expect(await statusOf(lost)).toBe('submitted');
  expect(await database.rows('select from payments.payment where source_id = $1', [lost.id])).toEqual([]);
  // What was approved is paid under the key that the provider knows; what the lost history ordered is not undone.
  expect(await orders()).toEqual(ordered);
  expect(ordered).toEqual(expect.arrayContaining(await attempts()));
  expect(await attempts()).toHaveLength(3);

  await approve(lost);
  await isPaid(lost);
  await nothingIsWrong();
  expect(await orders()).toEqual(ordered);
  expect(await attempts()).toEqual(ordered);
}, 240_000);

interface Paid {
  paymentId: string;
}

/** As soon as the system is there again. */
async function once<T>(what: () => Promise<T>): Promise<T> {
  let done: T | undefined;
  await expect.poll(async () => (done ??= await what().catch(() => undefined)), eventually).toBeDefined();
  return done!;
}

/** Handed in and approved. @returns the id of its payment */
async function approvedWeek(access: GraphqlAccess, contractId: string): Promise<string> {
  const week = await once(() => submitWeek(access, contractId, 0, '6.6'));
  return (await once(() => ask<Paid>(access, APPROVE_TIMESHEET, week))).paymentId;
}

const paymentStatus = async (id: string): Promise<string> =>
  (await ask<{ status: string }>(system.access(), PAYMENT, { id })).status;

interface Unclaimed {
  id: string;
  idempotencyKey: string;
}

/** The provider's orders whose work is lost, those of timesheets first. */
async function unclaimed(): Promise<Unclaimed[]> {
  const query = '{ unclaimedOrders(status: open, limit: 100) { nodes { id idempotencyKey } } }';
  const access = { ...system.access(), token: system.access().finance[0] };
  const { nodes } = await ask<{ nodes: Unclaimed[] }>(access, query);
  return nodes.toSorted((a, b) => b.idempotencyKey.localeCompare(a.idempotencyKey));
}

const CLAIM = `mutation ($orderId: ID!, $paymentId: ID!) {
  requestClaim(orderId: $orderId, paymentId: $paymentId, reason: "The same week") { id } }`;
const DISMISS = `mutation ($orderId: ID!) { requestDismissal(orderId: $orderId, reason: "Their step was accepted") { id } }`;

it('work that is lost with its payment, and handed in again, is not paid a second time: its worker waits for two people', async () => {
  const access = system.access();
  const worker = await registerWorker(access, 'Lena Lost', 'example.com');
  await payTo(access, worker.id, 'DE02 1203 0000 0000 2020 51');
  await instruct(access, REQUEST_FUNDING, { amount: '1000', currency: 'EUR' });
  const contractId = await contractIn(access, worker, hourly('By the hour', 'EUR', '50'), 'active');
  await baseBackup();
  const [{ moment }] = (await database.rows<{ moment: string }>('select clock_timestamp()::text as moment')) as [
    { moment: string },
  ];
  const lost = await approvedWeek(access, contractId);
  await expect.poll(() => paymentStatus(lost), eventually).toBe('completed');
  const byMilestone = await contractIn(access, worker, STEP, 'active');
  const { nodes } = await ask<{ nodes: { id: string }[] }>(access, MILESTONES_OF, { id: byMilestone });
  const step = await ask<Submitted>(access, SUBMIT_MILESTONE, { id: nodes[0]!.id });
  await approve(step);
  await isPaid(step);
  const ordered = await orders();
  await archived();

  await recoverTo(moment);
  const again = await approvedWeek(access, contractId);
  expect(again).not.toBe(lost);
  await expect.poll(async () => (await unclaimed().catch(() => [])).length, eventually).toBe(2);
  const [week, milestone] = (await unclaimed()) as [Unclaimed, Unclaimed];
  expect(milestone.idempotencyKey).toBe(`milestone:${step.id}:1`);
  const held = 'select reason from payments.deferred_work where id = $1';
  await expect
    .poll(() => database.rows(held, [again]), eventually)
    .toMatchObject([{ reason: expect.stringContaining('unclaimed order') as string }]);
  expect(await paymentStatus(again)).toBe('pending');
  expect(await wrong()).toEqual([expect.stringContaining('2 found') as string]);
  expect(await orders()).toEqual(ordered);

  await instruct(access, CLAIM, { orderId: week.id, paymentId: again });
  await instruct(access, DISMISS, { orderId: milestone.id });
  await expect.poll(() => paymentStatus(again), eventually).toBe('completed');
  expect(await orders()).toEqual(ordered);
  await nothingIsWrong();
  expect(await wrong(await statementOfToday())).toEqual([]);
}, 240_000);

const RESUBMIT = `mutation ($id: ID!, $unitsWorked: Decimal!) {
  resubmitTimesheet(id: $id, input: { unitsWorked: $unitsWorked }) { id version } }`;
const OUTCOME = `mutation ($id: ID!, $wasPaid: Boolean!) {
  requestOutcome(paymentId: $id, wasPaid: $wasPaid, reason: "Their statement of the day") { id amount { amount } } }`;
const ATTEMPTS = `query ($id: ID!) { payment(id: $id) { status payoutAttempts {
  status alarm amount { amount } paidAmount { amount } reported { status amount { amount } } } } }`;

it('work that was paid before a restore and is approved over more afterwards: what was really paid is booked, the rest is owed', async () => {
  const access = system.access();
  const worker = await registerWorker(access, 'Dora Differs', 'example.com');
  await payTo(access, worker.id, 'DE75 5121 0800 1245 1261 99');
  await instruct(access, REQUEST_FUNDING, { amount: '1000', currency: 'EUR' });
  const contractId = await contractIn(access, worker, hourly('By the hour, too', 'EUR', '50'), 'active');
  const week = await submitWeek(access, contractId, 0, '1.6');
  await baseBackup();
  const [{ moment }] = (await database.rows<{ moment: string }>('select clock_timestamp()::text as moment')) as [
    { moment: string },
  ];
  const { paymentId } = await ask<Paid>(access, APPROVE_TIMESHEET, week);
  await expect.poll(() => paymentStatus(paymentId), eventually).toBe('completed');
  const ordered = await orders();
  await archived();

  await recoverTo(moment);
  await once(() => ask(access, REJECT_TIMESHEET, { ...week, reason: 'It was more' }));
  const more = await ask<Submitted>(access, RESUBMIT, { id: week.id, unitsWorked: '2.4' });
  expect(await ask<Paid>(access, APPROVE_TIMESHEET, more)).toMatchObject({ paymentId });
  const shown = () => ask(access, ATTEMPTS, { id: paymentId });
  const differs = { status: 'prepared', alarm: 'differs', amount: { amount: '120.00' } };
  const reported = { status: 'settled', amount: { amount: '80.00' } };
  await expect.poll(shown, eventually).toMatchObject({ payoutAttempts: [{ ...differs, reported }] });
  await expect(instruct(access, OUTCOME, { id: paymentId, wasPaid: false })).rejects.toThrow('INVALID_STATE');
  expect(await wrong(await statementOfToday())).toContainEqual(expect.stringMatching(/paid what was ordered: 1 found/));

  await instruct(access, OUTCOME, { id: paymentId, wasPaid: true });
  expect(await shown()).toMatchObject({ status: 'completed', payoutAttempts: [{ paidAmount: { amount: '80.00' } }] });
  const owed = `select amount::text from payments.ledger_entry where account = 'workers_payable'`;
  expect(await database.rows(owed)).toEqual([{ amount: '-40.00' }]);
  expect(await orders()).toEqual(ordered);
  await nothingIsWrong();
  expect(await wrong(await statementOfToday())).toEqual([]);
}, 240_000);

it('the archive keeps what the newest two base backups need, and a segment of its name is never replaced', async () => {
  const [[oldest], segments] = [await readdir(join(archiveDir, 'base')), await readdir(join(archiveDir, 'wal'))];
  for (const _ of [1, 2]) await baseBackup();
  const bases = await readdir(join(archiveDir, 'base'));
  expect(bases).toHaveLength(2);
  expect(bases).not.toContain(oldest);
  const kept = await readdir(join(archiveDir, 'wal'));
  const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);
  expect(kept).not.toContain(segments.toSorted().find(isSegment));
  const segment = kept.findLast(isSegment)!;
  const keep = (path: string) =>
    promisify(execFile)(script(), ['keep', path, segment], { env: { PATH: process.env['PATH'], ARCHIVE: archiveDir } });
  await keep(join(archiveDir, 'wal', segment));
  await expect(keep(script())).rejects.toThrow('is there already, and is another');
}, 60_000);
