import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
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
  return signed(key, connectionId, Buffer.from(JSON.stringify(claims)).toString('base64url'));
}

/** Null for a proof that is altered, expired, of another connection or malformed. */
export function readProof(key: KeyObject, connectionId: string, proof: string, now: Date): Asserted | null {
  const payload = proof.slice(0, Math.max(0, proof.indexOf('.')));
  const [given, expected] = [Buffer.from(proof), Buffer.from(signed(key, connectionId, payload))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Asserted & { exp: number };
  const { exp, scopes } = claims;
  return exp * 1000 > now.getTime() ? { scopes } : null;
}

function signed(key: KeyObject, connectionId: string, payload: string): string {
  return `${payload}.${createHmac('sha256', key).update(`${connectionId}.${payload}`).digest('base64url')}`;
}
