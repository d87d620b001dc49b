import { ROLE_SCOPES, teamOf, type Actor, type Role, type Scope, type Team } from './actor.js';
import { DomainError } from './error.js';

/**
 * Whom a command is for, as far as the actor and the input tell. It is asked before anything is looked up, so of replays
 * too: "a role change applies immediately, including to retried requests" (public-api.md §5). What hangs on stored rows,
 * such as whose connection it is, the command asks itself.
 */
export interface WhoMay<Input = unknown> {
  /** Members with these roles; null is somebody without one here, such as who opens an invitation. */
  roles: readonly (Role | null)[];
  /** What API keys and assistants need beside the role. Null: it is done in the application, never with credentials. */
  scope: Scope | null;
  /** People whose own this is may do it whatever their role: says whose it is, by the principal. */
  own?: (input: Input) => string;
  /** Of the internal endpoint. */
  teams: readonly Team[];
  /** What happens by itself: because of an event, by a runner, or at an operator's shell. */
  system: boolean;
}

/** To begin from, where few are named. */
export const NOBODY = { roles: [], scope: null, teams: [], system: false } as const satisfies WhoMay;

/** Which field is for which of them stands beside it in the schema (`@teams`). */
const WRITERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

/** What follows from what happened elsewhere. */
export const SYSTEM_ONLY: WhoMay = { ...NOBODY, system: true };

/** What only the service's own application does, such as signing and activating (public-api.md §1). */
export const INTERNAL: WhoMay = { ...NOBODY, teams: WRITERS, system: true };

/** Managing a workspace: its admins in the application, and internal teams; never credentials. */
export const MANAGERS: WhoMay = { ...INTERNAL, roles: ['admin'] };

/** Every member in the application, and internal teams. */
export const MEMBERS: WhoMay = { ...INTERNAL, roles: ['admin', 'member', 'viewer'] };

/** Members whose role allows the scope, in person or by credentials that have it; and internal teams. */
export function holdersOf(scope: Scope): WhoMay {
  const roles = (['admin', 'member', 'viewer'] as const).filter((role) => ROLE_SCOPES[role].includes(scope));
  return { ...INTERNAL, roles, scope };
}

/** People of one team, and nobody else: not even the system. */
export function peopleOf(...teams: readonly Team[]): WhoMay {
  return { ...NOBODY, teams };
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless it is for this actor. */
export function requireWhoMay<Input>(who: WhoMay<Input>, actor: Actor, input: Input): void {
  const hasScope = who.scope === null || actor.scopes.includes(who.scope);
  if (!hasScope || !isFor(who, actor, input)) throw new DomainError('INSUFFICIENT_SCOPE', sayWho(who, actor));
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
  }
}

function sayWho({ scope, roles, teams }: WhoMay<never>, actor: Actor): string {
  if (scope !== null) return `This needs the scope ${scope} and a role that allows it.`;
  if (teamOf(actor) !== null) {
    return teams.length === 0
      ? 'This happens by itself, and is for nobody.'
      : `This is for the team ${teams.join(', ')}.`;
  }
  if (actor.kind === 'person' && roles.includes('admin')) {
    return 'Only admins of this workspace may do this. Ask one of them.';
  }
  return 'This is done in the application, not with API credentials.';
}
