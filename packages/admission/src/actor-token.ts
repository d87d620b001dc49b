import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { recordOf, DomainError, SERVICES, type Origin, type ServiceName } from '@payroll/kernel';
import type { ActorTokens } from './protocol.js';

/** Longer than the slowest answer (10 s), so that no request outlives its token; too short to be worth stealing. */
const LIFETIME_S = 15;

/** Each key is known to workspaces and to its service only. */
export type ActorKeys = Readonly<Record<ServiceName, KeyObject>>;

interface Claims {
  /** Unix seconds. */
  exp: number;
  origin: Origin;
}

/** One token for each service; they say for 15 s who acts. */
export function mintActorTokens(keys: ActorKeys, origin: Origin, now: Date): ActorTokens {
  const payload = payloadOf(origin, now);
  return recordOf(SERVICES, (service) => signed(service, keys[service], payload));
}

export function mintActorToken(audience: ServiceName, key: KeyObject, origin: Origin, now: Date): string {
  return signed(audience, key, payloadOf(origin, now));
}

/**
 * @param keys two while the key is rotated
 * @throws DomainError `INVALID_CREDENTIAL` for a missing, altered, expired token or one made for another service.
 */
export function verifyActorToken(audience: ServiceName, keys: readonly KeyObject[], token: unknown, now: Date): Origin {
  if (typeof token !== 'string') throw invalid('missing');
  const payload = token.slice(0, Math.max(0, token.indexOf('.')));
  const given = Buffer.from(token);
  const isSignedBy = (key: KeyObject): boolean => {
    const expected = Buffer.from(signed(audience, key, payload));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!keys.some(isSignedBy)) throw invalid('not signed for this service');
  const { exp, origin } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  if (exp * 1000 <= now.getTime()) throw invalid('expired');
  return origin;
}

function payloadOf(origin: Origin, now: Date): string {
  const claims: Claims = { exp: Math.floor(now.getTime() / 1000) + LIFETIME_S, origin };
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

/** The payload is the same for every service; the signature covers the audience too. */
function signed(audience: ServiceName, key: KeyObject, payload: string): string {
  return `${payload}.${createHmac('sha256', key).update(`${audience}.${payload}`).digest('base64url')}`;
}

function invalid(why: string): DomainError {
  return new DomainError('INVALID_CREDENTIAL', `The actor token is ${why}.`);
}
