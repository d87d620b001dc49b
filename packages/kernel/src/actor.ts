import { DomainError } from './error.js';

export const ROLES = ['admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** In a sentence: "an admin". */
export function withArticle(role: Role): string {
  return role === 'admin' ? 'an admin' : `a ${role}`;
}

export const SCOPES = ['read', 'contracts:write', 'timesheets:write', 'milestones:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The most that each role may do (public-api.md §5); a credential's scopes are cut down to it on every request. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  member: ['read', 'contracts:write'],
  viewer: ['read'],
};

export const STAFF_TEAMS = ['read_only', 'support', 'operations', 'finance'] as const;
export type StaffTeam = (typeof STAFF_TEAMS)[number];

/** Whom a field of the internal endpoint can be for: people by their team, and the application's own back end. */
export const TEAMS = ['service', ...STAFF_TEAMS] as const;
export type Team = (typeof TEAMS)[number];

interface Rights {
  /** Idempotency keys and external references belong to it (public-api.md §5). */
  principalId: string;
  workspaceId: string;
  /** Null for actors that are not members: staff, services and the system. */
  role: Role | null;
  scopes: readonly Scope[];
}

/** A human being. Tokens and memberships change: of two who have the same email address, neither is a second person. */
interface Somebody extends Rights {
  /** The email address: of a token's owner, of an account, or that an invitation was sent to. */
  person: string;
}

export interface StaffActor extends Somebody {
  kind: 'staff';
  team: StaffTeam;
}

/** Somebody signed in to the application itself, limited by their role alone. */
export interface PersonActor extends Somebody {
  kind: 'person';
  /** Null for a person who opens an invitation's link and is not signed in yet. */
  sessionId: string | null;
  /** Whether the password was given in this browser a short time ago, as of this request. */
  hasRecentPassword: boolean;
}

/** A worker signed in to the application: no role and no scopes, so all that a member or a key may do is refused. */
export interface WorkerActor extends Somebody {
  kind: 'worker';
  /** As contracts knows them; the principal is their access to the workspace. */
  workerId: string;
  sessionId: string;
  hasRecentPassword: boolean;
  /** Whether the recent password was given with a second factor; absent in tokens of the release before. */
  hasRecentFactor?: boolean;
}

export type Actor =
  | StaffActor
  | PersonActor
  | WorkerActor
  | (Rights & { kind: 'api_key' | 'connection' | 'service' | 'system' });

/** The actor, the entry point and the request: recorded with every write. */
export interface Origin {
  actor: Actor;
  via: 'rest' | 'mcp' | 'graphql' | 'web' | 'event' | 'runner';
  requestId: string;
  /** A change is applied once for each. Made by the caller; without it, each is a change of its own. */
  operationId?: string | undefined;
  /** Called when the command had been applied before, so that the answer can say so. */
  onReplay?: () => void;
  /** Called when the command's refusal is recorded, now or before: the operation will never be applied. */
  onRefusalRecorded?: () => void;
}

/**
 * For the default of a switch over the kinds of actors: the switch does not compile while a kind is missing, and an unknown
 * kind from another version is refused.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export function refuseUnlisted(_actor: never): never {
  throw new DomainError('INSUFFICIENT_SCOPE', 'This is not for actors of this kind.');
}

type Party = 'internal' | 'member' | 'worker' | 'integration';

/** Our own staff and processes, people of a workspace, its workers, or what acts for a member. */
function partyOf(actor: Actor): Party {
  switch (actor.kind) {
    case 'staff':
    case 'service':
    case 'system':
      return 'internal';
    case 'person':
      return 'member';
    case 'worker':
      return 'worker';
    case 'api_key':
    case 'connection':
      return 'integration';
    default:
      return refuseUnlisted(actor);
  }
}

/** Whether the actor is a member in person, not an API key or an assistant. */
export function isMember(actor: Actor): actor is PersonActor {
  return partyOf(actor) === 'member';
}

/**
 * The member who acts in the application; null for staff and processes, to whom the rules for members do not apply.
 * @throws DomainError `INSUFFICIENT_SCOPE` for credentials
 */
export function memberOf(actor: Actor): PersonActor | null {
  requireApplication(actor);
  return isMember(actor) ? actor : null;
}

/** Whether a worker acts, in person. */
export function isWorker(actor: Actor): actor is WorkerActor {
  return partyOf(actor) === 'worker';
}

/** Whether a member or a worker acts, who has signed in with a password. */
export function isSignedIn(actor: Actor): actor is PersonActor | WorkerActor {
  return isMember(actor) || isWorker(actor);
}

/** @throws DomainError `INSUFFICIENT_SCOPE` for all other kinds of actors */
export function requireWorker(actor: Actor): WorkerActor {
  if (isWorker(actor)) return actor;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Only the worker can do this, in person.');
}

/** Whether one of our own people acts. */
export function isStaff(actor: Actor): actor is StaffActor {
  switch (actor.kind) {
    case 'staff':
      return true;
    case 'person':
    case 'worker':
    case 'api_key':
    case 'connection':
    case 'service':
    case 'system':
      return false;
    default:
      return refuseUnlisted(actor);
  }
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless the actor holds the scope and its role, if it has one, allows it. */
export function requireScope(actor: Actor, scope: Scope): void {
  const party = partyOf(actor);
  const roleAllows = actor.role === null ? party === 'internal' : ROLE_SCOPES[actor.role].includes(scope);
  if (!roleAllows || !actor.scopes.includes(scope)) throw new DomainError('INSUFFICIENT_SCOPE', needsScope(scope));
}

/** For what people see in the application, as the schema lists them, and credentials never (public-api.md §1). */
export function requireApplication(actor: Actor): void {
  const party = partyOf(actor);
  if (party === 'integration' || party === 'worker') throw new DomainError('INSUFFICIENT_SCOPE', IN_APPLICATION);
}

/** For internal teams and the service's own runners alone. */
export function requireInternal(actor: Actor): void {
  if (partyOf(actor) !== 'internal') throw new DomainError('INSUFFICIENT_SCOPE', IN_APPLICATION);
}

/** The team whose fields an actor may use; null for actors limited by role and scopes, and for the system. */
export function teamOf(actor: Actor): Team | null {
  switch (actor.kind) {
    case 'staff':
      return actor.team;
    case 'service':
      return 'service';
    case 'person':
    case 'worker':
    case 'api_key':
    case 'connection':
    case 'system':
      return null;
    default:
      return refuseUnlisted(actor);
  }
}

export function systemOrigin(workspaceId: string, via: 'event' | 'runner', requestId: string): Origin {
  const principalId = '00000000-0000-0000-0000-000000000000';
  return { actor: { kind: 'system', principalId, workspaceId, role: null, scopes: SCOPES }, via, requestId };
}

export const IN_APPLICATION = 'This is done in the application, not with API credentials.';

export function needsScope(scope: Scope): string {
  return `This needs the scope ${scope} and a role that allows it.`;
}
