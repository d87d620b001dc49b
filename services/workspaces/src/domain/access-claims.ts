import { isId } from '@payroll/kernel';

/** Under which names an issuer says what. */
export interface ClaimNames {
  organization: string;
  client: string;
  scope: string;
}

/** What an access token says, once its signature, issuer, audience and time are found good. */
export interface AccessClaims {
  subject: string;
  workspaceId: string;
  clientId: string;
  scopes: readonly string[];
}

export const OWN_CLAIMS: ClaimNames = { organization: 'org_id', client: 'client_id', scope: 'scope' };

/** Null when the organization, the client or the scope is missing: then access is denied (public-api.md §5). */
export function readAccessClaims(payload: Readonly<Record<string, unknown>>, names: ClaimNames): AccessClaims | null {
  const subject = payload['sub'];
  const workspaceId = payload[names.organization];
  const clientId = payload[names.client];
  const scopes = readScopes(payload[names.scope]);
  if (!isText(subject) || !isId(workspaceId) || !isText(clientId) || scopes.length === 0) return null;
  return { subject, workspaceId: workspaceId.toLowerCase(), clientId, scopes };
}

/** One text with spaces between (RFC 9068), or a list, as some issuers have it. */
function readScopes(claim: unknown): string[] {
  const words: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.every((word) => typeof word === 'string') ? words.filter((word) => word !== '') : [];
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '';
}
