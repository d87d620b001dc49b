import {
  type Actor,
  DomainError,
  type Instant,
  memberOf,
  type PersonActor,
  type Role,
  SCOPES,
  secondFactorMissing,
} from '@payroll/kernel';

/** A signed-in person in a workspace; the membership is the principal. */
export function personIn(
  { workspaceId, membershipId, role }: { workspaceId: string; membershipId: string; role: Role },
  { sessionId, isRecent, email }: { sessionId: string; isRecent: boolean; email: string },
): PersonActor {
  const session = { person: email, sessionId, hasRecentPassword: isRecent };
  return { kind: 'person', principalId: membershipId, workspaceId, role, scopes: SCOPES, ...session };
}

/**
 * Only the member can get what acts for them (public-api.md §5). Admins may revoke it, and internal teams pass it on
 * to the member.
 */
export function requireOwner(actor: Actor, membershipId: string): void {
  const member = memberOf(actor);
  if (member !== null && member.principalId !== membershipId) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'This acts for somebody else. Only they can do it; you can end it.');
  }
}

/** Whether the workspace requires a second factor of its admins, and the account of the membership has none. */
export interface FactorRule {
  role: Role;
  lacksRequiredFactor: boolean;
}

/**
 * For admins who act in person. API keys and assistants are exempt: a program has no second factor.
 * @throws DomainError `INSUFFICIENT_SCOPE` whose detail leads people to set one up
 */
export function requireFactorOfAdmins({ role, lacksRequiredFactor }: FactorRule): void {
  if (role === 'admin' && lacksRequiredFactor) throw secondFactorMissing();
}

/**
 * Beside an admin who can sign in, those who cannot do not count.
 * @throws DomainError `INVALID_STATE` when no other member could manage the workspace.
 */
export function requireAnotherAdmin(admins: readonly { id: string; accountId: string | null }[], id: string): void {
  const own = admins.find((admin) => admin.id === id);
  if (!own || admins.some((admin) => admin !== own && (admin.accountId !== null || own.accountId === null))) return;
  throw new DomainError('INVALID_STATE', 'This is the last admin who can sign in; make someone else an admin first.');
}

/** @throws DomainError `INVALID_STATE` if another admin has changed it meanwhile: this would undo it. */
export function requireExpectedRole({ name, role }: { name: string; role: Role }, expected: Role): void {
  if (role === expected) return;
  const message = `Nothing was done: the role of ${name} has been changed to ${role} since you saw it.`;
  throw new DomainError('INVALID_STATE', message);
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

/** Long enough to return from a week off, short enough that an old mail gives no access. */
export const INVITATION_DAYS = 7;

export function isOpen(
  { acceptedAt, revokedAt, expiresAt }: { acceptedAt: Instant | null; revokedAt: Instant | null; expiresAt: Instant },
  now: Instant,
): boolean {
  return acceptedAt === null && revokedAt === null && expiresAt > now;
}

export function invitationOver(): DomainError {
  return new DomainError(
    'NOT_FOUND',
    'This invitation has been used, was withdrawn or has expired. Ask for a new one.',
  );
}
