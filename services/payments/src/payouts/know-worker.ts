import { type WorkerAnswer, type WorkerQuestion, WORKER_QUESTION } from '@payroll/events';
import { isId } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { KnownWorkerId } from '../commands/register-payee.js';
import { invalid } from '../domain/entered.js';

export type KnowWorker = (workspaceId: string, workerId: string) => Promise<KnownWorkerId>;

const TIMEOUT_MS = 2_000;

/**
 * Asks contracts whether the workspace has the worker: who a worker is, is known there alone.
 * @throws DomainError `VALIDATION_FAILED` when it has none; `SERVICE_UNAVAILABLE` when contracts does not answer.
 */
export function knowWorker({ bus }: Pick<ServiceParts, 'bus'>): KnowWorker {
  return async (workspaceId, workerId) => {
    if (!isId(workerId)) throw invalid('workerId', 'format', 'workerId is a UUID.');
    const question: WorkerQuestion = { workspaceId, workerId };
    const { isKnown } = (await bus.request(WORKER_QUESTION, question, TIMEOUT_MS)) as WorkerAnswer;
    if (!isKnown) throw invalid('workerId', 'unknown', 'There is no such worker in this workspace.');
    return workerId as KnownWorkerId;
  };
}
