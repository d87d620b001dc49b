import {
  WORK_QUESTION,
  type WorkAnswer,
  WORKER_ACCESS_QUESTION,
  type WorkerAccessAnswer,
  type WorkerQuestion,
} from '@payroll/events';
import { isId, notFound } from '@payroll/kernel';
import type { ServiceDependencies } from '@payroll/service';
import type { AgreedWork } from '../domain/own-work.js';

type Asking = Pick<ServiceDependencies, 'bus'>;

/** Asks contracts. Null where there is no such contract. @throws DomainError `SERVICE_UNAVAILABLE` if it does not answer */
export async function askWork({ bus }: Asking, workspaceId: string, contractId: string): Promise<WorkAnswer> {
  if (!isId(contractId)) return null;
  return (await bus.request(WORK_QUESTION, { workspaceId, contractId })) as WorkAnswer;
}

/**
 * The terms of work with the side that submits it: if none was agreed, the worker where they sign in, else the client.
 * @throws DomainError `NOT_FOUND`
 */
export async function agreedWork(asking: Asking, workspaceId: string, contractId: string): Promise<AgreedWork> {
  const work = await askWork(asking, workspaceId, contractId);
  if (work === null) throw notFound('The contract');
  const { workerId, submitter } = work;
  if (submitter !== null || workerId === null) return { ...work, submitter: submitter ?? 'client' };
  const question: WorkerQuestion = { workspaceId, workerId };
  const { hasAccess } = (await asking.bus.request(WORKER_ACCESS_QUESTION, question)) as WorkerAccessAnswer;
  return { ...work, submitter: hasAccess ? 'contractor' : 'client' };
}
