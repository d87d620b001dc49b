import type { KeyObject } from 'node:crypto';
import { recordOf, DomainError, SERVICES, type Origin, type ServiceName } from '@payroll/kernel';
import type { ActorTokens } from './protocol.js';
import { encodeClaims, readSigned, signed } from './signed-claims.js';

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
  const claims = readSigned<Claims>(audience, keys, token);
  if (!claims) throw invalid('not signed for this service');
  if (claims.exp * 1000 <= now.getTime()) throw invalid('expired');
  return claims.origin;
}

function payloadOf(origin: Origin, now: Date): string {
  const claims: Claims = { exp: Math.floor(now.getTime() / 1000) + LIFETIME_S, origin };
  return encodeClaims(claims);
}

function invalid(why: string): DomainError {
  return new DomainError('INVALID_CREDENTIAL', `The actor token is ${why}.`);
}
