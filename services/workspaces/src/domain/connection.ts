import { isId, type Role, ROLE_SCOPES, type Scope, SCOPES } from '@payroll/kernel';

/** Scopes that the MCP origin advertises: they identify the person and grant no permissions (public-api.md §5). */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

export const CLIENT_STATUSES = ['asked', 'enabled', 'disabled'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The API scopes that signed scopes allow at most. Identity scopes alone leave the limit to grant and role. */
export function scopesOfToken(signed: readonly string[]): readonly Scope[] {
  const identity: ReadonlySet<string> = new Set(IDENTITY_SCOPES);
  const onlyIdentity = signed.length > 0 && signed.every((scope) => identity.has(scope));
  return onlyIdentity ? SCOPES : SCOPES.filter((scope) => signed.includes(scope));
}

/** The scopes a connection has now: signed, granted, and allowed by the live role. */
export function effectiveScopes(signed: readonly Scope[], granted: readonly string[], role: Role): readonly Scope[] {
  return SCOPES.filter(
    (scope) => signed.includes(scope) && granted.includes(scope) && ROLE_SCOPES[role].includes(scope),
  );
}

/**
 * Admins may connect any client, which also enables it for the workspace; other members only enabled clients.
 */
export function decideConsent(status: ClientStatus | null, role: Role): 'allowed' | 'enables' | 'refused' {
  if (status === 'enabled') return 'allowed';
  return role === 'admin' ? 'enables' : 'refused';
}

export interface ClaimNames {
  organization: string;
  client: string;
  scope: string;
}

/** The claims of an access token whose signature, issuer, audience and expiry have been verified. */
export interface AccessClaims {
  subject: string;
  workspaceId: string;
  clientId: string;
  scopes: readonly string[];
}

export const OWN_CLAIMS: ClaimNames = { organization: 'org_id', client: 'client_id', scope: 'scope' };

/** Null if the organization, the client or the scope is missing: access is then denied (public-api.md §5). */
export function readAccessClaims(payload: Readonly<Record<string, unknown>>, names: ClaimNames): AccessClaims | null {
  const subject = payload['sub'];
  const workspaceId = payload[names.organization];
  const clientId = payload[names.client];
  const scopes = readScopes(payload[names.scope]);
  if (!isText(subject) || !isId(workspaceId) || !isText(clientId) || scopes.length === 0) return null;
  return { subject, workspaceId: workspaceId.toLowerCase(), clientId, scopes };
}

/** A space-separated text (RFC 9068), or a list, as some issuers send it. */
function readScopes(claim: unknown): string[] {
  const words: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.every((word) => typeof word === 'string') ? words.filter((word) => word !== '') : [];
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '';
}
