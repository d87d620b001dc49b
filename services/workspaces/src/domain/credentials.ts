import {
  isInstant,
  ROLE_SCOPES,
  toInstant,
  type ErrorDetail,
  type Instant,
  type Role,
  type Scope,
  isEmail,
  type Team,
} from '@payroll/kernel';
import { problemsOfName } from './workspace.js';

export function problemsOfScopes(scopes: readonly Scope[], role: Role): ErrorDetail[] {
  if (scopes.length === 0) return [{ path: 'scopes', code: 'too_short' }];
  return scopes.every((scope) => ROLE_SCOPES[role].includes(scope)) ? [] : [{ path: 'scopes', code: 'beyond_role' }];
}

export function problemsOfExpiry(text: string, now: Instant): ErrorDetail[] {
  return isInstant(text) && readExpiry(text) > now ? [] : [{ path: 'expiresAt', code: 'past' }];
}

/** An expiry in its canonical form, to the microsecond. */
export function readExpiry(text: string): Instant {
  return toInstant(text.replace(/(\.\d{6})\d+Z$/, '$1Z'));
}

interface NewToken {
  name: string;
  /**
   * The holder's email address. Two tokens of one person count as one person; a service's token may have no owner.
   */
  owner: string | null;
  team: Team;
  expiresAt: Instant;
}

/** People request a new token when theirs ends; a service is set up once a year. */
export const MAX_DAYS: Readonly<Record<Team, number>> = {
  service: 365,
  read_only: 90,
  support: 90,
  operations: 90,
  finance: 90,
};

export function problemsOfToken(
  { name, owner, team, expiresAt }: NewToken,
  { now, latest }: { now: Instant; latest: Instant },
): ErrorDetail[] {
  return [
    ...problemsOfName('name', name),
    ...problemsOfOwner(owner, team),
    ...(expiresAt > now && expiresAt <= latest ? [] : [{ path: 'expiresAt', code: 'out_of_range' }]),
  ];
}

function problemsOfOwner(owner: string | null, team: Team): ErrorDetail[] {
  if (owner === null) return team === 'service' ? [] : [{ path: 'owner', code: 'required' }];
  return isEmail(owner) ? [] : [{ path: 'owner', code: 'invalid_format' }];
}
