import { DomainError, errorForLog, newId, systemOrigin } from '@payroll/kernel';
import { Calendar, deferWork, startRunner, type ServiceParts } from '@payroll/service';
import type { Commands } from '@payroll/commands';
import { approveTimesheet } from '../commands/review-timesheet.js';
import { APPROVE_BY_RULES, dueForApproval, type DueForApproval } from '../queries/due-for-approval.js';

/** How long submitted work waits at most once a rule has come due for it. */
const EVERY_MS = 1_000;
/** At the same time; each may wait a second for payments to say that it has heard. */
const AT_ONCE = 8;

type Parts = Pick<ServiceParts, 'em' | 'commands' | 'log' | 'deployment'>;

/** Approves what the contracts' rules approve, as the system. Several processes may do so: a version is approved once. */
export function startApprovingByRules(parts: Parts): AsyncDisposable {
  const work = (stopping: AbortSignal): Promise<void> => approveByRules(parts, stopping);
  return startRunner({ name: APPROVE_BY_RULES, everyMs: EVERY_MS, work, log: parts.log });
}

/** One round over all that is due. What cannot be approved is set aside, and does not hold up the rest. */
export async function approveByRules({ em, commands, log, deployment }: Parts, stopping?: AbortSignal): Promise<void> {
  const requestId = `rules-${newId()}`;
  const calendar = new Calendar({ deployment });
  let due = await dueForApproval(em, calendar, undefined, AT_ONCE);
  while (due.length > 0 && !stopping?.aborted) {
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

/** Somebody else was first, or the terms have changed: no trouble. */
const DECIDED: ReadonlySet<string> = new Set(['STALE_RESOURCE_VERSION', 'INVALID_STATE']);
