import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Submitted } from '@payroll/tools/demo/steps';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseSwitch } from '../../support/database-switch.js';
import { codeOf, exchange, insist } from '../integrator.js';
import { submittedMilestones } from '../milestones.js';
import { ownerOf } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { seeded } from '../../support/random.js';
import { startSystem, type System } from '../support.js';

/**
 * `SEEDS=200 npm test -- switches` is the long form; `SEED=…` starts with that seed. A seed fixes the order of the
 * faults, not their timing.
 */
const first = Number(process.env['SEED'] ?? 1);
const seeds = Array.from({ length: Number(process.env['SEEDS'] ?? 2) }, (_, n) => first + n);

const MINUTE = { timeout: 60_000, interval: 250 };
const PIECES = 4;

const started = new AsyncDisposableStack();
let system: System;
let database: DatabaseSwitch;
let key: string;

beforeAll(async () => {
  system = started.use(await startSystem());
  database = new DatabaseSwitch(system.stack.database.adminUrl);
  await using owner = await ownerOf(system);
  const admin = await newPrincipal(system.access(), 'admin');
  await owner.liftLimits(admin.principalId);
  key = admin.secret;
});
afterAll(async () => await started.disposeAsync());

const VICTIMS = ['review', 'payments'] as const;

/** A switch of databases: commits made after the copy was taken are lost. */
interface Switched {
  copiedAt: number;
  /** The name under which the lost database can still be read. */
  left: string;
}

/** Injects faults at random, in an order that the seed repeats, and heals them. */
class Nemesis {
  readonly switches: Switched[] = [];
  readonly done: string[] = [];
  private copy: { name: string; at: number } | undefined;

  constructor(
    private readonly system: System,
    private readonly database: DatabaseSwitch,
    private readonly random: () => number,
  ) {}

  async strikeUpTo(most: number): Promise<void> {
    for (let n = Math.floor(this.random() * (most + 1)); n > 0; n--) await this.strike();
  }

  private async strike(): Promise<void> {
    const { stack } = this.system;
    const victim = VICTIMS[Math.floor(this.random() * VICTIMS.length)]!;
    const blows: Record<string, () => Promise<unknown>> = {
      copy: () => this.takeCopy(),
      switch: () => this.switch(),
      'switch again': () => this.switch(),
      'pause a process': async () => this.signal(victim, 'SIGSTOP'),
      'let it go on': async () => this.signal(victim, 'SIGCONT'),
      'kill a process': () => stack.kill(victim, 'SIGKILL'),
      'cut off a service': () => this.database.cutOff(victim),
      'let it in': () => this.database.letIn(victim),
      'restart Postgres': () => stack.postgres.kill('SIGINT'),
      'restart NATS': () => stack.nats.kill('SIGKILL'),
    };
    const names = Object.keys(blows);
    const name = names[Math.floor(this.random() * names.length)]!;
    this.done.push(name);
    await blows[name]!();
    await pause(this.random() * 400);
  }

  /** Resumes every process, restores its access to the current database and waits until it is ready. */
  async heal(): Promise<void> {
    for (const victim of VICTIMS) {
      this.signal(victim, 'SIGCONT');
      await this.database.letIn(victim);
      await this.system.stack.ready(victim);
    }
  }

  private async takeCopy(): Promise<void> {
    const at = performance.now();
    this.copy = { name: await this.database.copy(), at };
  }

  private async switch(): Promise<void> {
    const { copy } = this;
    if (!copy) return await this.takeCopy();
    this.copy = undefined;
    this.switches.push({ copiedAt: copy.at, left: await this.database.switchTo(copy.name) });
  }

  private signal(victim: (typeof VICTIMS)[number], signal: NodeJS.Signals): void {
    const pid = this.system.stack.file.processes[victim];
    try {
      process.kill(pid!, signal);
    } catch {
      // The process was killed and its successor has not started yet.
    }
  }
}

/** When an approval was acknowledged; undefined if it was refused in the end. */
async function approve({ id, version }: Submitted): Promise<number | undefined> {
  const request = {
    key,
    method: 'POST',
    body: { expectedVersion: version },
    idempotencyKey: randomUUID(),
  } as const;
  const url = `${system.stack.file.rest.url}/milestones/${id}/approve`;
  const answer = await insist(
    () => exchange(url, request),
    () => undefined,
  );
  if (answer.status === 200) return performance.now();
  expect(codeOf(answer)).toMatch(/^(STALE_RESOURCE_VERSION|INVALID_STATE)$/);
  return undefined;
}

interface Standing {
  id: string;
  status: string;
  approved: string | null;
  paid: string | null;
  payment: string | null;
}

/** Each piece of work with the payment that its approval names and the payments that exist, in one database. */
const standing = (work: readonly Submitted[], history?: string): Promise<Standing[]> =>
  database.rows<Standing>(
    `select milestone.id, milestone.status, milestone.payment_id as approved, payment.id as paid, payment.status as payment
     from review.milestone left join payments.payment on payment.source_id = milestone.id
     where milestone.id = any($1) order by milestone.id`,
    [work.map(({ id }) => id)],
    history,
  );

const UNDELIVERED = `
  select consumer from review.outbox_delivery
  union all select consumer from payments.outbox_delivery
  union all select type from review.dead_letter union all select type from payments.dead_letter`;

const UNPAID = `select status from payments.payment where source_id = any($1) and status <> 'completed'`;

async function delivered(): Promise<void> {
  await expect.poll(() => database.rows(UNDELIVERED).catch(String), MINUTE).toEqual([]);
}

async function paid(work: readonly Submitted[]): Promise<void> {
  await expect.poll(() => database.rows(UNPAID, [work.map(({ id }) => id)]).catch(String), MINUTE).toEqual([]);
  await delivered();
}

/** The orders sent to the provider for each attempt, over all databases: the provider outlives them. */
async function orders(work: readonly Submitted[], histories: readonly (string | undefined)[]): Promise<string[][]> {
  const tries = new Map<string, Set<string>>();
  for (const history of histories) {
    const rows = await database.rows<{ source: string; key: string }>(
      `select payment.source_id || ' ' || attempt.number as source, attempt.idempotency_key as key
       from payments.payout_attempt attempt join payments.payment on payment.id = attempt.payment_id
       where payment.source_id = any($1)`,
      [work.map(({ id }) => id)],
      history,
    );
    for (const { source, key } of rows) tries.set(source, (tries.get(source) ?? new Set()).add(key));
  }
  return [...tries.values()].map((keys) => [...keys]);
}

it.each(seeds)(
  'seed %i: with switches, pauses and cut connections, each database pays each approval once',
  { timeout: 400_000 },
  async (seed) => {
    const work = await submittedMilestones(system.access(), PIECES);
    const nemesis = new Nemesis(system, database, seeded(seed));
    const acknowledged = new Map<string, number>();
    for (const piece of work) {
      const approving = approve(piece).then((at) => void (at !== undefined && acknowledged.set(piece.id, at)));
      await nemesis.strikeUpTo(3);
      await nemesis.heal();
      await approving;
      // Between the approval's answer and the payout.
      await nemesis.strikeUpTo(2);
    }
    await nemesis.heal();
    await delivered();
    const story = nemesis.done.join(', ');
    // Not all are paid yet: the order for lost work holds other payments to that account until the work is approved again (ADR 04).
    for (const { id, status, approved, paid: payment } of await standing(work)) {
      expect(payment, story).toBe(approved);
      expect(status === 'submitted', story).toBe(approved === null);
      // Only approvals acknowledged after a copy was taken may be lost with the database that was left.
      const at = acknowledged.get(id);
      if (approved !== null || at === undefined) continue;
      expect(
        nemesis.switches.some(({ copiedAt }) => copiedAt < at),
        story,
      ).toBe(true);
    }
    const histories = nemesis.switches.map(({ left }) => left);
    for (const history of histories) {
      for (const { approved, paid } of await standing(work, history)) expect([null, approved], story).toContain(paid);
    }
    for (const { id, status } of await standing(work)) {
      if (status === 'submitted') await approve(work.find((piece) => piece.id === id)!);
    }
    await paid(work);
    expect((await standing(work)).map(({ status, payment }) => [status, payment])).toEqual(
      work.map(() => ['paid', 'completed']),
    );
    for (const keys of await orders(work, [undefined, ...histories])) expect(keys, story).toHaveLength(1);
    for (const history of histories) await database.rows(`drop database ${history} with (force)`, [], 'postgres');
  },
);
