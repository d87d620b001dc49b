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

/** @throws TypeError for anything else than two ids. */
export function readWorkerQuestion(body: unknown): WorkerQuestion {
  const { workspaceId, workerId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(workerId)) return { workspaceId, workerId };
  throw new TypeError('The question names a workspace and a worker by their ids.');
}
