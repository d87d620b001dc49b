import { DomainError } from './error.js';

export type Role = 'admin' | 'member' | 'viewer';
export const SCOPES = ['read', 'contracts:write', 'timesheets:write', 'milestones:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** What each role may do at most (public-api.md §5); a credential's scopes are cut down to it on every request. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  member: ['read', 'contracts:write'],
  viewer: ['read'],
};

/** The teams that people of the internal endpoint belong to. */
export const STAFF_TEAMS = ['read_only', 'support', 'operations', 'finance'] as const;
export type StaffTeam = (typeof STAFF_TEAMS)[number];

/** Everybody that a field of the internal endpoint can be for: people by their team, and the application's own back end. */
export const TEAMS = ['service', ...STAFF_TEAMS] as const;
export type Team = (typeof TEAMS)[number];

interface Rights {
  /** What idempotency and external references are scoped to (public-api.md §5). */
  principalId: string;
  workspaceId: string;
  /** Null for those who are no members: staff, services and the system itself. */
  role: Role | null;
  scopes: readonly Scope[];
}

/** Someone of the staff. Tokens come and go; `person` is who holds them, by e-mail address. */
export interface StaffActor extends Rights {
  kind: 'staff';
  team: StaffTeam;
  person: string;
}

/** Somebody who is signed in to the application itself, bounded by their role alone. */
export interface PersonActor extends Rights {
  kind: 'person';
  /** Where they are signed in; null for who holds an invitation's link and is not signed in yet. */
  sessionId: string | null;
}

/** Who acts. */
export type Actor = StaffActor | PersonActor | (Rights & { kind: 'api_key' | 'connection' | 'service' | 'system' });

/** Who asked, through which door, in which request: what audit rows and events remember of every write. */
export interface Origin {
  actor: Actor;
  via: 'rest' | 'mcp' | 'graphql' | 'web' | 'event' | 'runner';
  requestId: string;
  /** Told that what is asked had been applied before, so that the answer can say so. */
  noteReplay?: () => void;
}

const INTERNAL: ReadonlySet<Actor['kind']> = new Set(['staff', 'service', 'system']);

/** @throws DomainError `INSUFFICIENT_SCOPE` unless the actor holds the scope and its role, if it has one, allows it. */
export function requireScope(actor: Actor, scope: Scope): void {
  const roleAllows = actor.role === null ? INTERNAL.has(actor.kind) : ROLE_SCOPES[actor.role].includes(scope);
  if (!roleAllows || !actor.scopes.includes(scope)) {
    throw new DomainError('INSUFFICIENT_SCOPE', `This needs the scope ${scope} and a role that allows it.`);
  }
}

/** For what only the service's own application does, such as signing and activating (public-api.md §1). */
export function requireInternal(actor: Actor): void {
  if (!INTERNAL.has(actor.kind)) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'This is done in the application, not with API credentials.');
  }
}

/** The team whose fields an actor may use; null for those whom role and scopes bound, and for the system. */
export function teamOf(actor: Actor): Team | null {
  if (actor.kind === 'staff') return actor.team;
  return actor.kind === 'service' ? 'service' : null;
}

/** The system acting by itself, for example because an event arrived. */
export function systemOrigin(workspaceId: string, via: 'event' | 'runner', requestId: string): Origin {
  const actor: Actor = { kind: 'system', principalId: SYSTEM_PRINCIPAL, workspaceId, role: null, scopes: SCOPES };
  return { actor, via, requestId };
}

const SYSTEM_PRINCIPAL = '00000000-0000-0000-0000-000000000000';
