import { newId, ROLE_SCOPES, type Origin, type Role } from '@payroll/kernel';

/** A member of the workspace, in person. */
export function person(workspaceId: string, role: Role): Origin {
  const rights = { principalId: newId(), workspaceId, role, scopes: ROLE_SCOPES[role] };
  return {
    actor: { ...rights, kind: 'person', sessionId: newId(), hasRecentPassword: true },
    via: 'web',
    requestId: 'req_test',
  };
}
