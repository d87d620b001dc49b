import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { takeTestimony } from '../checker/records.js';
import { findLost } from '../clients/integrators.js';
import { type Arena, oneOf } from './arena.js';
import type { Aim, Blow } from './nemesis.js';
import { type Victim, signal } from '../system/instances.js';

const run = promisify(execFile);
/** The age that a copy reaches before the switch. */
const AGES_MS = 5_000;
const LISTENS_LATE_MS = 1_000;
/**
 * Time for payments to apply the request. A publisher gives up on a reply after 2 s, and the switch takes some of them.
 */
const APPLIES_MS = 300;

/** Replaces our database with an earlier copy: commits since then are lost, and the processes keep running. */
export function blowsToHistories(arena: Arena): Blow[] {
  const aim = (strike: () => Promise<void>) => (): Aim => ({ about: 'the database', targets: ['histories'], strike });
  return [
    { kind: 'switched to a copy of the database', weight: 2, aim: aim(() => switchDatabases(arena)) },
    { kind: 'disk of Postgres restored', weight: 1, aim: aim(() => restoreDisk(arena)) },
    { kind: 'switched under a process that sleeps', weight: 1, aim: () => switchedAsleep(arena) },
    { kind: 'switched while confirmations wait', weight: 1, aim: () => switchedBeforeConfirmations(arena) },
  ];
}

function switchedAsleep(arena: Arena): Aim {
  const { victims } = arena.stage;
  const sleeper = oneOf(
    arena,
    victims.filter(({ ways }) => ways.Postgres),
  );
  const strike = async (): Promise<void> => {
    let wake = (): void => undefined;
    await switchDatabases(arena, { whenCopied: () => (wake = sendToSleep([sleeper])), whenSwitched: () => wake() });
  };
  return { about: sleeper.name, targets: ['histories', sleeper.name], strike };
}

/**
 * After the copy was made, payments applies approvals that are in the copy; review reads its confirmations only in the
 * copy.
 */
function switchedBeforeConfirmations(arena: Arena): Aim {
  const { victims } = arena.stage;
  const [review, payments] = (['review', 'payments'] as const).map((name) =>
    victims.filter(({ kind }) => kind === name),
  );
  const strike = async (): Promise<void> => {
    const wakePayments = sendToSleep(payments!);
    let wakeReview = (): void => undefined;
    await pause(LISTENS_LATE_MS);
    const whenCopied = (): void => {
      wakeReview = sendToSleep(review!);
      wakePayments();
    };
    await switchDatabases(arena, { whenCopied, agesMs: APPLIES_MS, whenSwitched: () => wakeReview() });
  };
  const names = [...review!, ...payments!].map(({ name }) => name);
  return { about: 'review and payments', targets: ['histories', ...names], strike };
}

/** @returns the function that resumes them */
function sendToSleep(victims: readonly Victim[]): () => void {
  const asleep = victims.map(({ pid }) => pid());
  for (const pid of asleep) signal(pid, 'SIGSTOP');
  return () => asleep.forEach((pid) => signal(pid, 'SIGCONT'));
}

interface Switching {
  agesMs?: number;
  whenCopied?: () => void;
  whenSwitched?: () => void;
}

async function switchDatabases(
  arena: Arena,
  { agesMs = arena.random() * AGES_MS, whenCopied, whenSwitched }: Switching = {},
): Promise<void> {
  const { crew, stage, withPostgres, left } = arena;
  const { database } = stage;
  const copiedAt = crew.history.now;
  const copy = await withPostgres(() => database.copy());
  whenCopied?.();
  await pause(agesMs);
  await changeHistory(arena, copiedAt, async () => {
    const old = await database.switchTo(copy);
    whenSwitched?.();
    left.push(await takeTestimony(database, old));
    await database.rows(`drop database ${old} with (force)`, [], 'postgres');
  });
}

async function restoreDisk(arena: Arena): Promise<void> {
  const { crew, stage, withPostgres, random } = arena;
  const { postgres, dir } = stage.stack;
  const [data, snapshot] = [join(dir, 'postgres', 'data'), join(dir, 'postgres', 'snapshot')];
  const copiedAt = crew.history.now;
  await withPostgres(async () => {
    await postgres.stop();
    await run('cp', ['-a', data, snapshot]);
    await postgres.start();
  });
  await pause(random() * AGES_MS);
  await changeHistory(arena, copiedAt, async () => {
    await postgres.stop();
    await rm(data, { recursive: true });
    await run('mv', [snapshot, data]);
    await postgres.start();
  });
}

async function changeHistory(
  { crew, withPostgres }: Arena,
  copiedAt: number,
  change: () => Promise<void>,
): Promise<void> {
  await withPostgres(async () => {
    crew.epoch += 1;
    await change();
    crew.epoch += 1;
    crew.history.log({ type: 'switch', copiedAt });
  });
  crew.beside(() => findLost(crew, copiedAt));
}
