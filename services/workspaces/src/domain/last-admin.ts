import { DomainError, type Role } from '@payroll/kernel';

/** @throws DomainError `INVALID_STATE` when nobody else could manage the workspace. */
export function requireAnotherAdmin(members: readonly { id: string; role: Role }[], id: string): void {
  const isAdmin = members.some((member) => member.id === id && member.role === 'admin');
  const others = members.filter((member) => member.id !== id && member.role === 'admin');
  if (isAdmin && others.length === 0) {
    throw new DomainError('INVALID_STATE', 'This is the last admin; make someone else an admin first.');
  }
}
