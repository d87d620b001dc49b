import { newId, ROLE_SCOPES, type Origin, type Role } from '@payroll/kernel';

/** A signed-in member of the workspace. */
export function person(workspaceId: string, role: Role, email = `${role}@northwind.example`): Origin {
  const rights = { principalId: newId(), workspaceId, role, scopes: ROLE_SCOPES[role] };
  return {
    actor: { ...rights, kind: 'person', person: email, sessionId: newId(), hasRecentPassword: true },
    via: 'web',
    requestId: 'req_test',
  };
}

/** A worker of the workspace, signed in to the application. */
export function worker(workspaceId: string, workerId: string, hasRecentPassword = true): Origin {
  const who = { kind: 'worker', person: 'wanda@example.com', sessionId: newId(), hasRecentPassword } as const;
  const rights = { principalId: newId(), workspaceId, role: null, scopes: [] };
  return { actor: { ...rights, ...who, workerId }, via: 'web', requestId: 'req_test' };
}
