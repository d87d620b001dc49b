import type { KeyObject } from 'node:crypto';
import { encodeClaims, readSigned, signed } from '@payroll/admission';
import type { Scope } from '@payroll/kernel';

/** Several times the longest tool call, retries included. */
const LIFETIME_S = 60;

/** The content of an assertion; everything else is looked up when it is used. */
interface Asserted {
  /** The token's scopes: an upper limit, whatever the grant or the role become. */
  scopes: readonly Scope[];
}

/** Only this service creates and reads proofs; the MCP server and the facade pass them on unchanged. */
export function mintProof(key: KeyObject, connectionId: string, { scopes }: Asserted, now: Date): string {
  const claims = { scopes, exp: Math.floor(now.getTime() / 1000) + LIFETIME_S };
  return signed(connectionId, key, encodeClaims(claims));
}

/** Null for a proof that is altered, expired, of another connection or malformed. */
export function readProof(key: KeyObject, connectionId: string, proof: string, now: Date): Asserted | null {
  const claims = readSigned<Asserted & { exp: number }>(connectionId, [key], proof);
  return claims && claims.exp * 1000 > now.getTime() ? { scopes: claims.scopes } : null;
}
