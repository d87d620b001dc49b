import { type Actor, DomainError, type Instant, isMember, type PersonActor, type Role, SCOPES } from '@payroll/kernel';

export const ROLES = ['admin', 'member', 'viewer'] as const satisfies readonly Role[];

/** Somebody signed in, acting in a workspace: the membership is the principal. */
export function personIn(
  { workspaceId, membershipId, role }: { workspaceId: string; membershipId: string; role: Role },
  { sessionId, isRecent, email }: { sessionId: string; isRecent: boolean; email: string },
): PersonActor {
  const session = { person: email, sessionId, hasRecentPassword: isRecent };
  return { kind: 'person', principalId: membershipId, workspaceId, role, scopes: SCOPES, ...session };
}

/** Only members get what acts for them (public-api.md §5); admins may end it, and internal teams hand it to the member. */
export function requireOwner(actor: Actor, membershipId: string): void {
  if (isMember(actor) && actor.principalId !== membershipId) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'This acts for somebody else. Only they can do it; you can end it.');
  }
}

/** @throws DomainError `INVALID_STATE` when nobody else could manage the workspace. */
export function requireAnotherAdmin(members: readonly { id: string; role: Role }[], id: string): void {
  const admins = members.filter(({ role }) => role === 'admin');
  if (admins.length === 1 && admins[0]!.id === id) {
    throw new DomainError('INVALID_STATE', 'This is the last admin; make someone else an admin first.');
  }
}

/** Long enough to come back from a week off; a link that lies in a mailbox longer opens nothing. */
export const INVITATION_DAYS = 7;

export function isOpen(
  { acceptedAt, revokedAt, expiresAt }: { acceptedAt: Instant | null; revokedAt: Instant | null; expiresAt: Instant },
  now: Instant,
): boolean {
  return acceptedAt === null && revokedAt === null && expiresAt > now;
}

export function invitationOver(): DomainError {
  return new DomainError('NOT_FOUND', 'This invitation was used, taken back or is too old. Ask for a new one.');
}
