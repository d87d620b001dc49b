import { DomainError } from './error.js';

export type Role = 'admin' | 'member' | 'viewer';
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
  /** What idempotency and external references are scoped to (public-api.md §5). */
  principalId: string;
  workspaceId: string;
  /** Null for actors that are not members: staff, services and the system. */
  role: Role | null;
  scopes: readonly Scope[];
}

/** A human being. Tokens and memberships change: of two who have the same e-mail address, neither is a second person. */
interface Somebody extends Rights {
  /** The e-mail address: of a token's owner, of an account, or that an invitation was sent to. */
  person: string;
}

/** A member of staff. */
export interface StaffActor extends Somebody {
  kind: 'staff';
  team: StaffTeam;
}

/** Somebody signed in to the application itself, limited by their role alone. */
export interface PersonActor extends Somebody {
  kind: 'person';
  /** Null for whoever opens an invitation's link and is not signed in yet. */
  sessionId: string | null;
  /** Whether the password was given in this browser a short time ago, as of this request. */
  hasRecentPassword: boolean;
}

export type Actor = StaffActor | PersonActor | (Rights & { kind: 'api_key' | 'connection' | 'service' | 'system' });

/** Who asked, through which door, in which request: recorded with every write. */
export interface Origin {
  actor: Actor;
  via: 'rest' | 'mcp' | 'graphql' | 'web' | 'event' | 'runner';
  requestId: string;
  /** Called when the command had been applied before, so that the answer can say so. */
  noteReplay?: () => void;
  /** Called when the command's refusal is recorded, now or before: the operation will never be applied. */
  noteRecorded?: () => void;
}

/**
 * For the default of a switch over the kinds of actors: it does not compile while a kind is missing, and a kind that another
 * version sends is let into nothing.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export function refuseUnlisted(_actor: never): never {
  throw new DomainError('INSUFFICIENT_SCOPE', 'This is not for actors of this kind.');
}

type Party = 'internal' | 'member' | 'integration';

/** Our own staff and processes, people of a workspace, or what acts for one of them. */
function partyOf(actor: Actor): Party {
  switch (actor.kind) {
    case 'staff':
    case 'service':
    case 'system':
      return 'internal';
    case 'person':
      return 'member';
    case 'api_key':
    case 'connection':
      return 'integration';
    default:
      return refuseUnlisted(actor);
  }
}

/** Whether somebody of the workspace acts in person. */
export function isMember(actor: Actor): actor is PersonActor {
  return partyOf(actor) === 'member';
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless the actor holds the scope and its role, if it has one, allows it. */
export function requireScope(actor: Actor, scope: Scope): void {
  const party = partyOf(actor);
  const roleAllows = actor.role === null ? party === 'internal' : ROLE_SCOPES[actor.role].includes(scope);
  if (!roleAllows || !actor.scopes.includes(scope)) throw new DomainError('INSUFFICIENT_SCOPE', needsScope(scope));
}

/** For what people see in the application, as the schema lists them, and credentials never (public-api.md §1). */
export function requireApplication(actor: Actor): void {
  if (partyOf(actor) === 'integration') throw new DomainError('INSUFFICIENT_SCOPE', IN_APPLICATION);
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

/** Who may run a command, by actor and input alone. Asked before look-ups, so of replays too (public-api.md §5). */
export interface WhoMay<Input = unknown> {
  /** Members with these roles; null stands for somebody without one, such as whoever opens an invitation. */
  roles: readonly (Role | null)[];
  /** What API keys and assistants need beside the role. Null: only in the application, never with credentials. */
  scope: Scope | null;
  /** The principal who owns it: the owner may do it whatever their role. */
  own?: (input: Input) => string;
  teams: readonly Team[];
  /** May run because of an event, by a runner, or at an operator's shell. */
  system: boolean;
  /** Finding a browser still signed in is not enough for this (ADR 0031). */
  needsRecentPassword?: true;
}

/** The detail by which the pages know that they have to ask for the password. */
export const PASSWORD_NOT_RECENT = { path: 'password', code: 'not_recent' } as const;

export function passwordNotRecent(): DomainError {
  return new DomainError('INSUFFICIENT_SCOPE', 'Give your password again first.', { details: [PASSWORD_NOT_RECENT] });
}

export function isPasswordNotRecent(error: unknown): boolean {
  const { path, code } = PASSWORD_NOT_RECENT;
  const details = error instanceof DomainError ? error.details : [];
  return details?.some((each) => each.path === path && each.code === code) ?? false;
}

export const NOBODY = { roles: [], scope: null, teams: [], system: false } as const satisfies WhoMay;

/** Which of them a field is for stands beside it in the schema (`@teams`). */
const WRITERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

export const SYSTEM_ONLY: WhoMay = { ...NOBODY, system: true };

/** For what only the service's own application does, such as signing and activating (public-api.md §1). */
export const INTERNAL: WhoMay = { ...NOBODY, teams: WRITERS, system: true };

/** Managing a workspace: its admins in the application, and internal teams; never credentials. */
export const MANAGERS: WhoMay = { ...INTERNAL, roles: ['admin'] };

/** Preparing what admins then decide on: in the application, never with credentials. */
export const DRAFTERS: WhoMay = { ...INTERNAL, roles: ['admin', 'member'] };

export const MEMBERS: WhoMay = { ...INTERNAL, roles: ['admin', 'member', 'viewer'] };

/** Members whose role allows the scope, in person or by credentials that have it; and internal teams. */
export function holdersOf(scope: Scope): WhoMay {
  const roles = (['admin', 'member', 'viewer'] as const).filter((role) => ROLE_SCOPES[role].includes(scope));
  return { ...INTERNAL, roles, scope };
}

/** People of these teams and nobody else, not even the system. */
export function peopleOf(...teams: readonly Team[]): WhoMay {
  return { ...NOBODY, teams };
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless this actor may. */
export function requireWhoMay<Input>(who: WhoMay<Input>, actor: Actor, input: Input): void {
  const hasScope = who.scope === null || actor.scopes.includes(who.scope);
  if (!hasScope || !isFor(who, actor, input)) throw new DomainError('INSUFFICIENT_SCOPE', sayWho(who, actor));
  if (who.needsRecentPassword && isMember(actor) && !actor.hasRecentPassword) throw passwordNotRecent();
}

function isFor<Input>(who: WhoMay<Input>, actor: Actor, input: Input): boolean {
  switch (actor.kind) {
    case 'system':
      return who.system;
    case 'service':
    case 'staff':
      return who.teams.some((team) => team === teamOf(actor));
    case 'person':
      return who.roles.includes(actor.role) || who.own?.(input) === actor.principalId;
    case 'api_key':
    case 'connection':
      return who.scope !== null && actor.role !== null && who.roles.includes(actor.role);
    default:
      return refuseUnlisted(actor);
  }
}

function sayWho({ scope, roles, teams }: WhoMay<never>, actor: Actor): string {
  if (scope !== null) return needsScope(scope);
  if (teamOf(actor) !== null) {
    if (teams.length === 0) return 'This happens by itself, and is for nobody.';
    return `This is for the team ${teams.join(', ')}.`;
  }
  if (!isMember(actor) || !roles.includes('admin')) return IN_APPLICATION;
  const who = roles.includes('member') ? 'admins and members' : 'admins';
  return `Only ${who} of this workspace may do this. Ask one of them.`;
}

const IN_APPLICATION = 'This is done in the application, not with API credentials.';

function needsScope(scope: Scope): string {
  return `This needs the scope ${scope} and a role that allows it.`;
}
