import {
  type CalendarDate,
  type COMPENSATION_TYPES,
  type FREQUENCIES,
  isId,
  type TIMESHEET_SUBMITTERS,
} from '@payroll/kernel';

/** Request/reply subject of contracts: whether the workspace has a worker. There are no events about workers. */
export const WORKER_QUESTION = 'ask.contracts.worker';

export interface WorkerQuestion {
  workspaceId: string;
  workerId: string;
}

export interface WorkerAnswer {
  isKnown: boolean;
}

/** Request/reply subject of workspaces: whether a worker signs in. */
export const WORKER_ACCESS_QUESTION = 'ask.workspaces.worker-access';

export interface WorkerAccessAnswer {
  hasAccess: boolean;
}

interface Asks {
  request: (subject: string, body: unknown) => Promise<unknown>;
}

/** @throws DomainError `SERVICE_UNAVAILABLE` if workspaces does not answer */
export async function askWorkerAccess(bus: Asks, question: WorkerQuestion): Promise<boolean> {
  return ((await bus.request(WORKER_ACCESS_QUESTION, question)) as WorkerAccessAnswer).hasAccess;
}

/** @throws TypeError for anything else than two ids. */
export function readWorkerQuestion(body: unknown): WorkerQuestion {
  const { workspaceId, workerId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(workerId)) return { workspaceId, workerId };
  throw new TypeError('The question names a workspace and a worker by their ids.');
}

/** Request/reply subject of contracts: how a worker is called and reached, for their invitation. */
export const WORKER_PROFILE_QUESTION = 'ask.contracts.worker-profile';

/** Null where the workspace has no such worker. */
export type WorkerProfileAnswer = {
  name: string;
  email: string;
  /** Whether the worker has signed a contract, in person or not. */
  hasSigned: boolean;
} | null;

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
  /** Null where none was agreed; missing in answers of an older process. */
  compensationType?: (typeof COMPENSATION_TYPES)[number] | null;
  /** How often a retainer is paid; missing in answers of an older process. */
  paymentFrequency?: (typeof FREQUENCIES)[number] | null;
  /** Whether its first payment is in proportion to the days; missing in answers of an older process. */
  isFirstProRata?: boolean;
  /** The side that submits timesheets; null where it was not agreed. */
  submitter: (typeof TIMESHEET_SUBMITTERS)[number] | null;
} | null;

/** @throws TypeError for anything else than two ids. */
export function readWorkQuestion(body: unknown): WorkQuestion {
  const { workspaceId, contractId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(contractId)) return { workspaceId, contractId };
  throw new TypeError('The question names a workspace and a contract by their ids.');
}

/** Asked of payments (request/reply): how many of these payments do not exist. */
export const PAYMENTS_QUESTION = 'ask.payments.missing';

/** The nth payment belongs to the nth workspace. */
export interface PaymentsQuestion {
  workspaceIds: string[];
  paymentIds: string[];
}

export interface PaymentsAnswer {
  missing: number;
}

/** @throws TypeError unless it names as many workspaces as payments. */
export function readPaymentsQuestion(body: unknown): PaymentsQuestion {
  const { workspaceIds, paymentIds } = (body ?? {}) as Record<string, unknown>;
  if (areIds(workspaceIds) && areIds(paymentIds) && workspaceIds.length === paymentIds.length) {
    return { workspaceIds, paymentIds };
  }
  throw new TypeError('The question names payments by the ids of their workspaces and their own.');
}

function areIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isId);
}

/** Request/reply subject of payments: the state of a change of payout details. */
export const PAYOUT_CHANGE_QUESTION = 'ask.payments.payout-change';

export interface PayoutChangeQuestion {
  workspaceId: string;
  changeId: string;
}

export interface PayoutChangeAnswer {
  /** `over`: it can no longer be stopped. */
  state: 'waiting' | 'stopped' | 'over';
}

/** @throws TypeError for anything else than two ids. */
export function readPayoutChangeQuestion(body: unknown): PayoutChangeQuestion {
  const { workspaceId, changeId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(changeId)) return { workspaceId, changeId };
  throw new TypeError('The question names a workspace and a change by their ids.');
}
