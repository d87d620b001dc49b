import {
  type Actor,
  IN_APPLICATION,
  isMember,
  isSignedIn,
  needsScope,
  refuseUnlisted,
  ROLE_SCOPES,
  ROLES,
  type Role,
  type Scope,
  type Team,
  teamOf,
} from './actor.js';
import { DomainError, type ErrorDetail } from './error.js';

/** Who may run a command, by actor and input alone. Checked before any look-up, so also for replays (public-api.md §5). */
export interface CommandPolicy<Input = unknown> {
  /** Members with these roles; null is a person without a role, such as one who opens an invitation. */
  roles: readonly (Role | null)[];
  /** The scope that API keys and assistants need in addition to the role. Null: only people in the application. */
  scope: Scope | null;
  /** The principal who owns it: the owner may do it whatever their role. */
  own?: (input: Input) => string;
  teams: readonly Team[];
  /** The worker in person, about what is theirs: the command compares. */
  workers?: true;
  /** May run because of an event, by a runner, or at an operator's shell. */
  system: boolean;
  /** A session alone does not suffice (ADR 20). */
  needsRecentPassword?: true;
}

/** The error detail that makes pages request the password. */
const PASSWORD_NOT_RECENT = { path: 'password', code: 'not_recent' } as const;

export function passwordNotRecent(): DomainError {
  return new DomainError('INSUFFICIENT_SCOPE', 'Give your password again first.', { details: [PASSWORD_NOT_RECENT] });
}

export function isPasswordNotRecent(error: unknown): boolean {
  return hasDetail(error, PASSWORD_NOT_RECENT);
}

/** The error detail that makes pages lead to setting up a second factor. */
const SECOND_FACTOR_MISSING = { path: 'second_factor', code: 'missing' } as const;

export function secondFactorMissing(): DomainError {
  const message = 'This workspace requires a second factor of its admins. Set one up first.';
  return new DomainError('INSUFFICIENT_SCOPE', message, { details: [SECOND_FACTOR_MISSING] });
}

export function isSecondFactorMissing(error: unknown): boolean {
  return hasDetail(error, SECOND_FACTOR_MISSING);
}

function hasDetail(error: unknown, { path, code }: ErrorDetail): boolean {
  const details = error instanceof DomainError ? error.details : [];
  return details?.some((each) => each.path === path && each.code === code) ?? false;
}

export const DENY_ALL = { roles: [], scope: null, teams: [], system: false } as const satisfies CommandPolicy;

/** Which of them a field is for stands beside it in the schema (`@teams`). */
const WRITE_TEAMS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

export const SYSTEM_ONLY: CommandPolicy = { ...DENY_ALL, system: true };

/** For workers in person: no member, team or credential does it for them. */
export const WORKER_ONLY: CommandPolicy = { ...DENY_ALL, workers: true };

/** For what only the service's own application does, such as signing and activating (public-api.md §1). */
export const INTERNAL_ONLY: CommandPolicy = { ...DENY_ALL, teams: WRITE_TEAMS, system: true };

/** The application itself, for what no member of staff does: work that is not reviewed would be paid by one of them alone (ADR 18). */
export const APPLICATION_ONLY: CommandPolicy = { ...DENY_ALL, teams: ['service'], system: true };

/** Managing a workspace: its admins in the application, and internal teams; never credentials. */
export const ADMINS_OR_INTERNAL: CommandPolicy = { ...INTERNAL_ONLY, roles: ['admin'] };

/** Preparing what admins then decide on: in the application, never with credentials. */
export const EDITORS_OR_INTERNAL: CommandPolicy = { ...INTERNAL_ONLY, roles: ['admin', 'member'] };

export const MEMBERS_OR_INTERNAL: CommandPolicy = { ...INTERNAL_ONLY, roles: ROLES };

/** Members whose role allows the scope, in person or by credentials that have it; and internal teams. */
export function requiringScope(scope: Scope): CommandPolicy {
  const roles = ROLES.filter((role) => ROLE_SCOPES[role].includes(scope));
  return { ...INTERNAL_ONLY, roles, scope };
}

/** Only people of these teams, not even the system. */
export function staffOfTeams(...teams: readonly Team[]): CommandPolicy {
  return { ...DENY_ALL, teams };
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless this actor may. */
export function authorizeCommand<Input>(who: CommandPolicy<Input>, actor: Actor, input: Input): void {
  const hasScope = who.scope === null || actor.scopes.includes(who.scope);
  if (!hasScope || !isFor(who, actor, input)) throw new DomainError('INSUFFICIENT_SCOPE', denialMessage(who, actor));
  if (who.needsRecentPassword && isSignedIn(actor) && !actor.hasRecentPassword) throw passwordNotRecent();
}

function isFor<Input>(who: CommandPolicy<Input>, actor: Actor, input: Input): boolean {
  switch (actor.kind) {
    case 'system':
      return who.system;
    case 'service':
    case 'staff':
      return who.teams.some((team) => team === teamOf(actor));
    case 'person':
      return who.roles.includes(actor.role) || who.own?.(input) === actor.principalId;
    case 'worker':
      return who.workers === true;
    case 'api_key':
    case 'connection':
      return who.scope !== null && actor.role !== null && who.roles.includes(actor.role);
    default:
      return refuseUnlisted(actor);
  }
}

function denialMessage({ scope, roles, teams, workers }: CommandPolicy<never>, actor: Actor): string {
  if (scope !== null) return needsScope(scope);
  if (teamOf(actor) !== null) {
    if (teams.length === 0) return 'This happens by itself, and is for nobody.';
    return `This is for the team ${teams.join(', ')}.`;
  }
  if (workers === true) return 'Only the worker can do this, in person.';
  if (!isMember(actor) || !roles.includes('admin')) return IN_APPLICATION;
  const who = roles.includes('member') ? 'admins and members' : 'admins';
  return `Only ${who} of this workspace may do this. Ask one of them.`;
}
