import type { EntityManager } from '@mikro-orm/postgresql';
import { forgetEvents } from '@payroll/messaging';
import type { Log, Settings } from '@payroll/process';
import { forgetOutcomes, LEAST_EVENT_DAYS, OUTCOME_DAYS } from '@payroll/store';
import { startRunner } from './runner.js';

const EVERY_MS = 10 * 60_000;

/** How long confirmed events are kept, for whoever looks into what happened. */
export function eventRetentionDays(s: Settings): number {
  return s.wholeNumber('EVENT_RETENTION_DAYS', { from: LEAST_EVENT_DAYS, to: 3_650 }, 30);
}

/** Lets go of what nobody can ask for any more, so that a service's own tables grow with its work and not with its age. */
export function startRetention(em: EntityManager, log: Log, eventDays: number): AsyncDisposable {
  const work = async (): Promise<void> => {
    const forgotten = (await forgetOutcomes(em, OUTCOME_DAYS)) + (await forgetEvents(em, eventDays));
    if (forgotten > 0) log.info({ forgotten }, 'Let go of rows past their retention');
  };
  return startRunner({ name: 'retention', everyMs: EVERY_MS, work, log });
}
