import { DomainError } from '@payroll/kernel';

/** Long enough for the owner to read the mail about it. */
export const CLOSING_DAYS = 7;

/** A workspace needs an admin. @throws DomainError `INVALID_STATE` that names the workspaces */
export function requireOtherAdmins(workspaces: readonly string[]): void {
  if (workspaces.length > 0) throw new DomainError('INVALID_STATE', onlyAdminOf(workspaces));
}

export function onlyAdminOf(workspaces: readonly string[]): string {
  return `You are the only admin of ${workspaces.join(', ')}. Make somebody else an admin there first.`;
}
