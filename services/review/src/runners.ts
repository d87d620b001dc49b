import type { Commands } from '@payroll/commands';
import { DomainError, errorForLog, newId, systemOrigin } from '@payroll/kernel';
import { Calendar, deferWork, roundTime, type ServiceDependencies, startBackgroundJob } from '@payroll/service';
import { sql, write } from '@payroll/store';
import { approveTimesheet } from './commands/review-timesheet.js';
import { APPROVE_BY_RULES, dueForApproval, type DueForApproval } from './queries/due-for-approval.js';

/** Upper bound on how long submitted work waits once a rule is due. */
const EVERY_MS = 1_000;
/** Concurrent approvals; each may wait a second for payments to confirm the event. */
const AT_ONCE = 8;

type Parts = Pick<ServiceDependencies, 'em' | 'commands' | 'log' | 'deployment'>;

/**
 * Approves submitted work by the contracts' rules, as the system. Safe in several processes: a version is approved
 * once.
 */
export function startAutoApproval(parts: Parts): AsyncDisposable {
  const work = (stopping: AbortSignal): Promise<void> => runAutoApproval(parts, stopping);
  return startBackgroundJob({ name: APPROVE_BY_RULES, everyMs: EVERY_MS, work, log: parts.log });
}

/** One round over all due work. Work that cannot be approved is deferred and does not block the rest. */
export async function runAutoApproval({ em, commands, log, deployment }: Parts, stopping?: AbortSignal): Promise<void> {
  const requestId = `rules-${newId()}`;
  const calendar = new Calendar({ deployment });
  const isOver = roundTime();
  let due = await dueForApproval(em, calendar, undefined, AT_ONCE);
  while (due.length > 0 && !stopping?.aborted && !isOver()) {
    await Promise.all(
      due.map(async (each) => {
        try {
          await approveDue(commands, each, requestId);
        } catch (error) {
          log.warn({ timesheetId: each.id, error: errorForLog(error) }, 'Work could not be approved by its rule');
          await deferWork(em, { runner: APPROVE_BY_RULES, ...each }, error);
        }
      }),
    );
    due = await dueForApproval(em, calendar, due.at(-1), AT_ONCE);
  }
}

async function approveDue(
  commands: Commands,
  { workspaceId, id, version, daysAhead }: DueForApproval,
  requestId: string,
): Promise<void> {
  try {
    const input = { id, expectedVersion: version, byRule: { daysAhead } };
    await commands.run(approveTimesheet, input, systemOrigin(workspaceId, 'runner', requestId));
  } catch (error) {
    if (error instanceof DomainError && DECIDED.has(error.code)) return;
    throw error;
  }
}

/** Not failures: someone else decided first, or the terms have changed. */
const DECIDED: ReadonlySet<string> = new Set(['STALE_RESOURCE_VERSION', 'INVALID_STATE']);

const FORGET_EVERY_MS = 3_600_000;

/** Deletes drafts of timesheets that were not submitted within 180 days. */
export function deleteExpiredDrafts({ em, log }: Pick<ServiceDependencies, 'em' | 'log'>): AsyncDisposable {
  const work = async (): Promise<void> => {
    await write(em, sql`delete from timesheet_draft where saved_at < now() - interval '180 days'`);
  };
  return startBackgroundJob({ name: 'forget-drafts', everyMs: FORGET_EVERY_MS, work, log });
}
