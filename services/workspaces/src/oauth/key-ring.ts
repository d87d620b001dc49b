import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, sql, write } from '@payroll/store';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  type JWK,
  errors,
  importJWK,
  jwtVerify,
  SignJWT,
  type JWTPayload,
} from 'jose';
import { chooseKeys } from '../domain/signing-keys.js';
import { SigningKeyTable } from '../store/oauth-tables.js';
import { SealedBox } from './sealed-box.js';
import { newId } from '@payroll/kernel';

/** The algorithm that every OpenID client must support (OpenID Connect Core §15.1). */
export const SIGNING_ALGORITHM = 'RS256';

/** A minute more than the longest lifetime of a token: clocks differ. */
const COUNTS_FOR_S = 360;

/**
 * How often each process reloads the keys, so that a rotation or withdrawal takes effect everywhere within seconds.
 */
const FRESH_MS = 2_000;
const RELOAD_MS = 200;

/** Private keys; the signing key first. */
export interface SigningKeys {
  keys: readonly JWK[];
  /** Public keys for verification. */
  publicKeys: ReturnType<typeof createLocalJWKSet>;
  /** Changes whenever the keys or their order do. */
  version: string;
}

/** The signing keys in Postgres, cached for `FRESH_MS`. */
export class KeyRing {
  private known: Promise<SigningKeys> | undefined;
  private askedAt = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly secret: KeyObject,
  ) {}

  /** @throws the database's error if no older keys are cached either. */
  async current(): Promise<SigningKeys> {
    if (this.known && performance.now() - this.askedAt < FRESH_MS) return await this.known;
    return await this.reload();
  }

  /** For a token signed with an unknown key. Limited, so that made-up key ids do not cause constant queries. */
  async reload(): Promise<SigningKeys> {
    const before = this.known;
    if (before && performance.now() - this.askedAt < RELOAD_MS) return await before;
    this.askedAt = performance.now();
    this.known = load(this.em, this.secret).catch((error: unknown) => {
      if (before) return before;
      this.known = undefined;
      throw error;
    });
    return await this.known;
  }
}

async function load(em: EntityManager, secret: KeyObject): Promise<SigningKeys> {
  const found = await readKeys(em, secret);
  if (found) return found;
  await ensureSigningKey(em, secret);
  const made = await readKeys(em, secret);
  if (!made) throw new Error('There is no signing key whose time has come; run rotate-signing-key --compromised');
  return made;
}

/** Uses the database's clock, so that all processes agree. */
async function readKeys(em: EntityManager, secret: KeyObject): Promise<SigningKeys | null> {
  const countsUntil = sql`clock_timestamp() - ${`${COUNTS_FOR_S} s`}::interval`;
  const rows = await read(
    em,
    sql`select ${columns(SigningKeyTable, 'kid', 'sealed', 'signsFrom', 'withdrawnAt')},
        ${computed('now', 'timestamptz', sql`clock_timestamp()`)}, ${computed('countsUntil', 'timestamptz', countsUntil)}
      from signing_key`,
  );
  const [any] = rows;
  const choice = any ? chooseKeys(rows, any.now, any.countsUntil) : null;
  if (!choice) return null;
  const keys = choice.published.map(({ kid, sealed }) => openSigningKey(secret, kid, sealed));
  const publicKeys = createLocalJWKSet({
    keys: keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK),
  });
  return { keys, publicKeys, version: keys.map(({ kid }) => kid).join(' ') };
}

/**
 * Creates the first key unless one exists. If several processes do so at the same time, all but one conflict and
 * create none.
 */
async function ensureSigningKey(em: EntityManager, secret: KeyObject): Promise<void> {
  const { kid, sealed } = await newSigningKey(secret);
  await write(
    em,
    sql`insert into signing_key (kid, sealed, created_at, signs_from, is_first)
      select ${kid}, ${sealed}, clock_timestamp(), clock_timestamp(), true
      where not exists (select from signing_key where withdrawn_at is null)
      on conflict (is_first) where is_first and withdrawn_at is null do nothing`,
  );
}

/** The `kid` is the key's thumbprint (RFC 7638). */
export async function newSigningKey(secret: KeyObject) {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  const text = JSON.stringify({ ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' });
  return { kid, sealed: boxOf(secret).seal(text, kid) };
}

/** @throws Error when it was sealed under another OAUTH_SECRET. */
export function openSigningKey(secret: KeyObject, kid: string, sealed: string): JWK {
  try {
    return JSON.parse(boxOf(secret).open(sealed, kid)) as JWK;
  } catch (cause) {
    throw new Error('A signing key cannot be opened: OAUTH_SECRET is not the secret that sealed it', { cause });
  }
}

function boxOf(secret: KeyObject): SealedBox {
  return new SealedBox(secret, 'signing-keys');
}

const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface Expected {
  issuer: string;
  audience: string;
}

/** The claims of an access token signed by the embedded server (RFC 9068), or null. */
export async function verifyOwnToken(
  token: string,
  ring: Pick<KeyRing, 'current' | 'reload'>,
  expected: Expected,
): Promise<JWTPayload | null> {
  const payload = await verify(token, await ring.current(), expected);
  if (payload !== 'unknown key') return payload;
  // Another process may already sign with a key that this one has not loaded.
  const fresh = await verify(token, await ring.reload(), expected);
  return fresh === 'unknown key' ? null : fresh;
}

async function verify(
  token: string,
  { publicKeys }: SigningKeys,
  { issuer, audience }: Expected,
): Promise<JWTPayload | null | 'unknown key'> {
  try {
    const { payload } = await jwtVerify(token, publicKeys, {
      issuer,
      audience,
      algorithms: [SIGNING_ALGORITHM],
      typ: ACCESS_TOKEN_TYPE,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key';
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Signs an access token like the library's (RFC 9068), for a sign-in without the library. */
export async function signOwnToken(
  claims: JWTPayload & { sub: string },
  ring: KeyRing,
  { issuer, audience }: Expected,
  lifetimeS: number,
): Promise<string> {
  const key = (await ring.current()).keys[0]!;
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid! })
    .setJti(newId())
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeS)
    .sign(await importJWK(key, SIGNING_ALGORITHM));
}
