import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError, type Origin } from '@payroll/kernel';
import type { ServiceName } from './protocol.js';

/** Longer than the slowest answer (10 s) so that a request does not outlive its token; too short to be worth stealing. */
const LIFETIME_S = 15;

interface Claims {
  aud: ServiceName;
  /** Unix seconds. */
  exp: number;
  origin: Origin;
}

/** Says who acts, to one service, for 15 s. Only workspaces and that service know the key. */
export function mintActorToken(audience: ServiceName, key: Buffer, origin: Origin, now: Date): string {
  const claims: Claims = { aud: audience, exp: Math.floor(now.getTime() / 1000) + LIFETIME_S, origin };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${sign(payload, key).toString('base64url')}`;
}

/** @throws DomainError `INVALID_CREDENTIAL` for a missing, altered, expired token or one made for another service. */
export function verifyActorToken(audience: ServiceName, key: Buffer, token: unknown, now: Date): Origin {
  if (typeof token !== 'string') throw invalid('missing');
  const [payload, signature, ...rest] = token.split('.');
  if (!payload || !signature || rest.length > 0) throw invalid('malformed');
  const expected = sign(payload, key);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw invalid('not signed for this service');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  if (claims.aud !== audience) throw invalid('for another service');
  if (claims.exp * 1000 <= now.getTime()) throw invalid('expired');
  return claims.origin;
}

function sign(payload: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

function invalid(why: string): DomainError {
  return new DomainError('INVALID_CREDENTIAL', `The actor token is ${why}.`);
}
