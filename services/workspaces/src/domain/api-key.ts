import {
  isInstant,
  ROLE_SCOPES,
  toInstant,
  type ErrorDetail,
  type Instant,
  type Role,
  type Scope,
} from '@payroll/kernel';

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
