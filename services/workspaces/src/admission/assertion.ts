import type { KeyObject } from 'node:crypto';
import { encodeClaims, readSigned, signed } from '@payroll/admission';
import type { Scope } from '@payroll/kernel';

/** Several times the longest tool call, retries included. */
const LIFETIME_S = 60;

/**
 * Only this service creates and reads proofs; the MCP server and the facade pass them on unchanged. `scopes`: the token's,
 * an upper limit, whatever the grant or the role become; everything else is looked up when the proof is used.
 */
export function mintProof(key: KeyObject, connectionId: string, scopes: readonly Scope[], now: Date): string {
  const claims = { scopes, exp: Math.floor(now.getTime() / 1000) + LIFETIME_S };
  return signed(connectionId, key, encodeClaims(claims));
}

/** The scopes; null for a proof that is altered, expired, of another connection or malformed. */
export function readProof(key: KeyObject, connectionId: string, proof: string, now: Date): readonly Scope[] | null {
  const claims = readSigned<{ scopes: readonly Scope[]; exp: number }>(connectionId, [key], proof);
  return claims && claims.exp * 1000 > now.getTime() ? claims.scopes : null;
}
