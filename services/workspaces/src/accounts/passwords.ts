import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type ErrorDetail, throwIfInvalid } from '@payroll/kernel';
import { columns, read, sql } from '@payroll/store';
import { problemsOfPassword } from '../domain/password.js';
import { AccountTable } from '../store/account-tables.js';
import { ConcurrencyLimiter } from './throttle.js';

/** Each hash takes about 20 MiB and a core: keep at least half of the cores free, and bound the queue. */
const turns = new ConcurrencyLimiter({
  atOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
  maxWaiting: 100,
  maxOfOne: 20,
});

/**
 * OWASP's recommendation for Argon2id with the least memory for many concurrent sign-ins: 19 MiB, two passes, one
 * lane.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

type Cost = Record<keyof typeof COST, number>;

/**
 * PHC format, so that the cost can be raised. With `like`, reuses its salt: all hashes of an address are checked with
 * one computation.
 */
export async function hashPassword(password: string, like?: string, sharers: readonly string[] = []): Promise<string> {
  const salt = like === undefined ? randomBytes(SALT_BYTES) : parse(like).salt;
  const tag = await argon2id(password, salt, COST, TAG_BYTES, sharers);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/**
 * The hashes that match the password, computed once per salt and cost. Without hashes it does the same work as with
 * one.
 */
export async function fittingHashes(
  password: string,
  hashes: readonly string[],
  hash: typeof argon2id = argon2id,
): Promise<Set<string>> {
  const bySalt = Map.groupBy(hashes.length === 0 ? [NOBODY] : hashes, (one) => one.slice(0, one.lastIndexOf('$')));
  const fitting = new Set<string>();
  for (const alike of bySalt.values()) {
    const { cost, salt, tag } = parse(alike[0]!);
    const made = await hash(password, salt, cost, tag.length);
    for (const one of alike) if (one !== NOBODY && timingSafeEqual(made, parse(one).tag)) fitting.add(one);
  }
  return fitting;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(hash: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt, tag] = FORM.exec(hash) ?? [];
  if (!salt || !tag) throw new Error('A stored password hash is not in the PHC format of argon2id');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const argon2Async = promisify(argon2);

export function argon2id(
  password: string,
  nonce: Buffer,
  cost: Cost,
  tagLength: number,
  sharers: readonly string[] = [],
): Promise<Buffer> {
  // Normalize: the same characters can be typed as different code points.
  const message = password.normalize('NFC');
  return turns.take(sharers, () => argon2Async('argon2id', { message, nonce, tagLength, ...cost }));
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** A hash of no known password: a new one has to be set. */
export function unknownPassword(): string {
  const { memory, passes, parallelism } = COST;
  const [salt, tag] = [randomBytes(SALT_BYTES), randomBytes(TAG_BYTES)].map(base64);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${tag}`;
}

const NOBODY = unknownPassword();

interface NewPassword extends Record<'password' | 'repeated' | 'email' | 'name', string> {
  workspaces: readonly string[];
}

/**
 * A new password has to be typed twice and must not be guessable from its owner's normalized address and name or from
 * the names of their workspaces.
 * @throws DomainError `VALIDATION_FAILED` that names `password`, `repeated` and the form's other problems.
 */
export function requireGoodPassword(
  { password, repeated, email, name, workspaces }: NewPassword,
  others: readonly ErrorDetail[] = [],
): void {
  const differs = password === repeated ? [] : [{ path: 'repeated', code: 'different' }];
  const problems = [...others, ...problemsOfPassword(password, [email, name, ...workspaces]), ...differs];
  throwIfInvalid(problems, 'This password cannot be set.');
}

/** Call after the attempt is counted: a flood of attempts would exploit the cost of hashing. */
export async function hashNewPassword(
  em: EntityManager,
  { password, email }: Pick<NewPassword, 'password' | 'email'>,
  sharers: readonly string[],
): Promise<string> {
  const one = sql`select ${columns(AccountTable, 'passwordHash')} from account where email = ${email} limit 1`;
  const [account] = await read(em, one);
  return await hashPassword(password, account?.passwordHash, sharers);
}
