import { defineEntity, type EntitySchemaWithMeta, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isDomainError, errorForLog } from '@payroll/kernel';
import { type Log, metrics, onScrape } from '@payroll/runtime';
import {
  computed,
  mapDatabaseError,
  columnOf,
  instant,
  read,
  sql,
  type Sql,
  type TableRow,
  write,
} from '@payroll/store';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A round over a backlog ends after this time, and the next one begins with what is due first: a milestone approved meanwhile does not
 * wait for the end of a payday, and the alert RunnerStopped sees rounds that end.
 */
const ROUND_MS = 10_000;

/** @returns whether a round that begins now has to end */
export function roundTime(): () => boolean {
  const endsAt = performance.now() + ROUND_MS;
  return () => performance.now() >= endsAt;
}

/** The longest pause after failed rounds: a Postgres or provider that is away for a day should not fill the log. */
const FAILED_PAUSE_MS = 10_000;

interface RunnerOptions {
  /** For the log. */
  name: string;
  /** Doubled with each failed round, up to `FAILED_PAUSE_MS`. */
  everyMs: number;
  /**
   * Safe in several processes at once. Gets no time: Postgres' clock decides which rows are due, this process's only when a
   * round begins. A long round starts nothing new once it is aborted.
   */
  work: (stopping: AbortSignal) => Promise<void>;
  log: Log;
}

/** Does what is due, one round after the other; disposing waits until the current round has stopped. */
export function startBackgroundJob({ name, everyMs, work, log }: RunnerOptions): AsyncDisposable {
  const stopped = new AbortController();
  metrics.runnerRounds.begin({ runner: name, outcome: 'ok' });
  let pauseMs = everyMs;
  const round = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      await work(stopped.signal);
      pauseMs = everyMs;
      metrics.runnerRounds.since(startedAt, { runner: name, outcome: 'ok' });
    } catch (error) {
      pauseMs = Math.max(everyMs, Math.min(pauseMs * 2, FAILED_PAUSE_MS));
      metrics.runnerRounds.since(startedAt, { runner: name, outcome: 'failed' });
      log.warn({ runner: name, error: errorForLog(error) }, 'A round failed');
    }
  };
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await round();
      await pause(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
    },
  };
}

/** Work that a runner could not do, with the reason. It is retried at growing intervals and raises an alert. */
export const DeferredWorkTable = defineEntity({
  name: 'DeferredWork',
  tableName: 'deferred_work',
  properties: {
    runner: p.text().primary(),
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    tries: p.integer(),
    reason: p.text().comment('What went wrong the last time.'),
    retryAt: instant().comment('When it is tried again. A row long past it is of work that was done since.'),
  },
});

/** Doubles from 1 s to 1 h. */
const pauseAfter = (tries: Sql) => sql`least(interval '1 s' * power(2, least(${tries}, 12)), interval '1 h')`;

/** Not for outages: then the work stays due and is done as soon as the outage is over. */
export async function deferWork(
  em: EntityManager,
  { runner, workspaceId, id }: Pick<TableRow<typeof DeferredWorkTable>, 'runner' | 'workspaceId' | 'id'>,
  error: unknown,
): Promise<void> {
  const known = mapDatabaseError(error);
  if (isDomainError(known, 'SERVICE_UNAVAILABLE')) return;
  const reason = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
  // Work that was not deferred again for a day was done since: this failure is a first one.
  const before = sql`case when deferred_work.retry_at > clock_timestamp() - interval '1 day' then deferred_work.tries else 0 end`;
  await write(
    em,
    sql`insert into deferred_work (runner, workspace_id, id, tries, reason, retry_at)
      values (${runner}, ${workspaceId}, ${id}, 1, ${reason}, clock_timestamp() + ${pauseAfter(sql`0`)})
      on conflict (runner, workspace_id, id) do update set tries = ${before} + 1, reason = excluded.reason,
        retry_at = clock_timestamp() + ${pauseAfter(before)}`,
  );
}

/** True for rows of a table, with `workspace_id` and `id`, that are not deferred at the moment. */
export function notDeferred(runner: string, table: EntitySchemaWithMeta): Sql {
  return sql`not exists (
    select from deferred_work where deferred_work.runner = ${runner} and deferred_work.retry_at > clock_timestamp()
      and deferred_work.workspace_id = ${columnOf(table, 'workspaceId')} and deferred_work.id = ${columnOf(table, 'id')})`;
}

/** Counts the deferred work at each scrape. The minute leaves time for the next try to fail again. */
export function observeDeferredWork(em: EntityManager, runner: string): Disposable {
  return onScrape({
    name: 'deferred-work',
    read: async () => {
      const [row] = await read(
        em,
        sql`select ${computed('count', 'int', sql`count(*)`)} from deferred_work
          where runner = ${runner} and retry_at > clock_timestamp() - interval '1 minute'`,
      );
      metrics.deferredWork.set({ runner }, row?.count ?? 0);
    },
    sets: [metrics.deferredWork],
  });
}
