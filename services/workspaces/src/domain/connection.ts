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

/** Registered or published client metadata (RFC 7591 §2), not yet validated. */
export type ClaimedMetadata = Record<string, unknown>;

/** All that a public client needs for a sign-in by code; other members are replaced by what we offer. */
const KEPT = 'client_id client_id_issued_at client_name client_uri redirect_uris'.split(' ');

const MAX_REDIRECTS = 20;
const MAX_URI_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that a browser handles itself, not the private-use schemes of native applications (RFC 8252 §7.1). */
const BROWSER_SCHEMES: ReadonlySet<string> = new Set(
  'about blob chrome data file filesystem ftp intent javascript mailto sms tel urn vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Normalizes the metadata in place to what we offer. Returns the problem, or null. */
export function normalizeClientMetadata(metadata: ClaimedMetadata): string | null {
  for (const key of Object.keys(metadata)) if (!KEPT.includes(key)) delete metadata[key];
  const uris = metadata['redirect_uris'];
  if (![metadata['client_uri'], uris].flat().every(isStorable)) return 'a URI contains characters that are not allowed';
  const problem = problemOfRedirects(uris);
  if (problem !== null) return problem;
  Object.assign(metadata, {
    application_type: applicationType(uris as string[]),
    client_name: displayName(metadata['client_name'], uris as string[]),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  return null;
}

/** Postgres stores neither U+0000 nor half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

function problemOfRedirects(uris: unknown): string | null {
  if (!Array.isArray(uris) || uris.length === 0) return 'redirect_uris must contain members';
  if (uris.length > MAX_REDIRECTS) return `redirect_uris must contain at most ${MAX_REDIRECTS} members`;
  return uris.every(isRedirect)
    ? null
    : 'redirect_uris must be https, http on a loopback address, or a private-use scheme, without fragment and user';
}

function isRedirect(uri: unknown): boolean {
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH) return false;
  const url = URL.parse(uri);
  if (!url || url.username !== '' || url.password !== '' || uri.includes('#')) return false;
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname);
  return !BROWSER_SCHEMES.has(url.protocol);
}

/** Derived from the redirects, not from the declared type: a native application may use any port (RFC 8252 §7.3). */
function applicationType(uris: readonly string[]): 'native' | 'web' {
  return uris.every((uri) => new URL(uri).protocol === 'https:') ? 'web' : 'native';
}

/** A name fit to be shown in one line, without characters that reverse the text around it. */
export function displayName(name: unknown, redirectUris: readonly string[]): string {
  const text = typeof name === 'string' ? name : '';
  const readable = text
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [...readable].slice(0, MAX_NAME_LENGTH).join('') || hostOf(redirectUris[0] ?? '');
}

/** The redirect target as people see it: a host, this computer, or an application's own scheme. */
export function hostOf(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (!url) return '';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return url.protocol;
  return LOOPBACK.has(url.hostname) ? 'this computer' : url.host;
}
