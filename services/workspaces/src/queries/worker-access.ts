import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/commands';
import {
  readWorkerQuestion,
  WORKER_PROFILE_QUESTION,
  type WorkerAccessAnswer,
  type WorkerProfileAnswer,
  type WorkerQuestion,
} from '@payroll/events';
import { isId } from '@payroll/kernel';
import { computed, columns, read, sql } from '@payroll/store';
import { AccountTable, InvitationTable, WorkerAccessTable } from '../store/account-tables.js';

/** Asks contracts, which owns the workers. @throws DomainError `SERVICE_UNAVAILABLE` if it does not answer */
export async function askProfile(
  { bus }: { bus: Pick<Bus, 'request'> },
  question: WorkerQuestion,
): Promise<WorkerProfileAnswer> {
  if (!isId(question.workerId)) return null;
  return (await bus.request(WORKER_PROFILE_QUESTION, question)) as WorkerProfileAnswer;
}

/** The live access of a worker; null if they do not sign in. */
export async function findAccess(em: EntityManager, { workspaceId, workerId }: WorkerQuestion) {
  if (!isId(workerId)) return null;
  const [access] = await read(
    em,
    sql`select ${columns(WorkerAccessTable, 'joinedAt')}, ${columns(AccountTable, 'email')}
      from worker_access join account on account.id = worker_access.account_id
      where workspace_id = ${workspaceId} and worker_id = ${workerId} and ended_at is null`,
  );
  return access ?? null;
}

/** Answers the other services, which refuse managers the acts of a worker who signs in. */
export async function answerWorkerAccess(em: EntityManager, body: unknown): Promise<WorkerAccessAnswer> {
  return { hasAccess: (await findAccess(em, readWorkerQuestion(body))) !== null };
}

/** The open invitation of a worker, if any. */
export async function findWorkerInvitation(em: EntityManager, { workspaceId, workerId }: WorkerQuestion) {
  if (!isId(workerId)) return null;
  const [invitation] = await read(
    em,
    sql`select ${columns(InvitationTable, 'id', 'email', 'expiresAt')} from invitation
      where workspace_id = ${workspaceId} and worker_id = ${workerId} and accepted_at is null and revoked_at is null
        and expires_at > now()
      order by created_at desc limit 1`,
  );
  return invitation ?? null;
}

/** The workspaces that the account works for now, by name. */
export async function employersOfAccount(em: EntityManager, accountId: string) {
  return await read(
    em,
    sql`select ${columns(WorkerAccessTable, 'workspaceId')}, ${computed('workspaceName', 'text', sql`business.name`)}
      from worker_access join business on business.id = worker_access.workspace_id
      where worker_access.account_id = ${accountId} and worker_access.ended_at is null
      order by business.name, business.id`,
  );
}
