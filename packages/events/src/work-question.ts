import { type CalendarDate, isId, type TIMESHEET_SUBMITTERS } from '@payroll/kernel';

/** Request/reply subject of contracts: what a contract says of the work under it, as of now. */
export const WORK_QUESTION = 'ask.contracts.work';

export interface WorkQuestion {
  workspaceId: string;
  contractId: string;
}

/** Null where the workspace has no such contract. */
export type WorkAnswer = {
  workerId: string | null;
  /** The days on which work can be done; null for open ends. */
  firstDay: CalendarDate | null;
  lastDay: CalendarDate | null;
  /** Whether work is counted in hours, which are entered by day. */
  isHourly: boolean;
  /** The side that submits timesheets; null where it was not agreed. */
  submitter: (typeof TIMESHEET_SUBMITTERS)[number] | null;
} | null;

/** @throws TypeError for anything else than two ids. */
export function readWorkQuestion(body: unknown): WorkQuestion {
  const { workspaceId, contractId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(contractId)) return { workspaceId, contractId };
  throw new TypeError('The question names a workspace and a contract by their ids.');
}
