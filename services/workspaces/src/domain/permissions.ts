import { DomainError, SCOPES, type Actor, type PersonActor, type Role } from '@payroll/kernel';

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
 * What acts for a member is given out to that member alone (public-api.md §5): an admin may end what acts for others, and
 * gets none of it. Internal teams give it to whom it is for.
 */
export function requireOwner(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.principalId !== membershipId) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'This acts for somebody else. Only they can do it; you can end it.');
  }
}
