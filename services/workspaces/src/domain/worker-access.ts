import { DomainError, type WorkerActor } from '@payroll/kernel';

export interface WorkerVisit {
  workspaceId: string;
  accessId: string;
  workerId: string;
  hasSecondFactor: boolean;
}

/** A signed-in worker in a workspace; the access is the principal. */
export function workerIn(
  { workspaceId, accessId, workerId, hasSecondFactor }: WorkerVisit,
  { sessionId, isRecent, email }: { sessionId: string; isRecent: boolean; email: string },
): WorkerActor {
  // A password is recent only with the second factor of an account that has one.
  const session = {
    person: email,
    sessionId,
    hasRecentPassword: isRecent,
    hasRecentFactor: isRecent && hasSecondFactor,
  };
  return { kind: 'worker', principalId: accessId, workspaceId, workerId, role: null, scopes: [], ...session };
}

/**
 * A person has one standing in a workspace: one who approves work must not be paid for it.
 * @throws DomainError `INVALID_STATE`
 */
export function requireOneStanding(isOther: boolean, other: 'member' | 'worker'): void {
  if (!isOther) return;
  const message = `This account, or another one with its address, is a ${other} of this workspace already. Use an account with another address.`;
  throw new DomainError('INVALID_STATE', message);
}
