import { isId } from '@payroll/kernel';

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
