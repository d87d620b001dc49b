import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readRecords } from '../checker/records.js';
import { findLost } from '../clients/integrators.js';
import { suspend } from '../system/instances.js';
import { type Fault, fault, type FaultContext } from './nemesis.js';

const run = promisify(execFile);
/** The age that a copy reaches before the switch. */
const AGES_MS = 5_000;
const LISTENS_LATE_MS = 1_000;
/** Time for payments to apply the request. A publisher gives up on a reply after 2 s, and the switch takes some of them. */
const APPLIES_MS = 300;

/** Replaces our database with an earlier copy: commits since then are lost, and the processes keep running. */
export function databaseFaults(context: FaultContext): Fault[] {
  const { instances } = context.system;
  const [review, payments] = (['review', 'payments'] as const).map((name) =>
    instances.filter(({ kind }) => kind === name),
  );
  const database = [{ name: 'the database', locks: ['database'] }];
  const suspended = instances
    .filter(({ proxies }) => proxies.Postgres)
    .map((instance) => ({ ...instance, locks: ['database', instance.name] }));
  const names = [...review!, ...payments!].map(({ name }) => name);
  return [
    fault('switched to a copy of the database', 2, database, () => switchDatabases(context)),
    fault('disk of Postgres restored', 1, database, () => restoreDisk(context)),
    fault('switched under a process that sleeps', 1, suspended, async (instance) => {
      let resume = (): void => undefined;
      const whenCopied = (): void => void (resume = suspend([instance]));
      await switchDatabases(context, { whenCopied, whenSwitched: () => resume() });
    }),
    // After the copy payments applies approvals that are in it; review reads its confirmations only in the copy.
    fault(
      'switched while confirmations wait',
      1,
      [{ name: 'review and payments', locks: ['database', ...names] }],
      async () => {
        const resumePayments = suspend(payments!);
        let resumeReview = (): void => undefined;
        await pause(LISTENS_LATE_MS);
        const whenCopied = (): void => {
          resumeReview = suspend(review!);
          resumePayments();
        };
        await switchDatabases(context, { whenCopied, agesMs: APPLIES_MS, whenSwitched: () => resumeReview() });
      },
    ),
  ];
}

interface Switching {
  agesMs?: number;
  whenCopied?: () => void;
  whenSwitched?: () => void;
}

async function switchDatabases(
  context: FaultContext,
  { agesMs = context.random() * AGES_MS, whenCopied, whenSwitched }: Switching = {},
): Promise<void> {
  const { clients, system, withPostgres, replaced } = context;
  const { database } = system;
  const copiedAt = clients.history.now;
  const copy = await withPostgres(() => database.copy());
  whenCopied?.();
  await pause(agesMs);
  await changeHistory(context, copiedAt, async () => {
    const old = await database.switchTo(copy);
    whenSwitched?.();
    replaced.push(await readRecords(database, old));
    await database.rows(`drop database ${old} with (force)`, [], 'postgres');
  });
}

async function restoreDisk(context: FaultContext): Promise<void> {
  const { clients, system, withPostgres, random } = context;
  const { postgres, dir } = system.stack;
  const [data, snapshot] = [join(dir, 'postgres', 'data'), join(dir, 'postgres', 'snapshot')];
  const copiedAt = clients.history.now;
  await withPostgres(async () => {
    await postgres.stop();
    await run('cp', ['-a', data, snapshot]);
    await postgres.start();
  });
  await pause(random() * AGES_MS);
  await changeHistory(context, copiedAt, async () => {
    await postgres.stop();
    await rm(data, { recursive: true });
    await run('mv', [snapshot, data]);
    await postgres.start();
  });
}

async function changeHistory(
  { clients, withPostgres }: FaultContext,
  copiedAt: number,
  change: () => Promise<void>,
): Promise<void> {
  await withPostgres(async () => {
    clients.epoch += 1;
    await change();
    clients.epoch += 1;
    clients.history.log({ type: 'switch', copiedAt });
  });
  clients.beside(() => findLost(clients, copiedAt));
}
