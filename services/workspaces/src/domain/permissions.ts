import { DomainError, requireInternal, SCOPES, type Actor, type PersonActor, type Role } from '@payroll/kernel';

/** What somebody is in a workspace. */
export interface PlaceOfPerson {
  workspaceId: string;
  membershipId: string;
  role: Role;
}

/** Somebody who is signed in, at work in a workspace they belong to. What they do is told by their membership. */
export function personIn({ workspaceId, membershipId, role }: PlaceOfPerson, sessionId: string): PersonActor {
  return { kind: 'person', principalId: membershipId, workspaceId, role, scopes: SCOPES, sessionId };
}

/**
 * Managing a workspace is for its admins, in the application, and for internal teams; never for API credentials.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export function requireManager(actor: Actor): void {
  if (actor.kind !== 'person') return requireInternal(actor);
  if (actor.role !== 'admin') {
    throw new DomainError('INSUFFICIENT_SCOPE', 'Only admins of this workspace may do this. Ask one of them.');
  }
}

/** Everybody may leave; removing others is managing. */
export function requireManagerOrSelf(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.principalId === membershipId) return;
  requireManager(actor);
}

/**
 * What acts for a member is given out to that member alone (public-api.md §5): an admin may end what acts for others, and
 * gets none of it. Internal teams give it to whom it is for.
 */
export function requireOwner(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.principalId !== membershipId) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'This acts for somebody else. Only they can do it; you can end it.');
  }
}

/** A key acts as the membership that created it, which has to be an admin's; internal teams make one for anybody. */
export function requireOwnKey(actor: Actor, membershipId: string): void {
  requireManager(actor);
  requireOwner(actor, membershipId);
}
