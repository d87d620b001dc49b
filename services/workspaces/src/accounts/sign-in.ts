import type { EntityManager } from '@mikro-orm/postgresql';
import { isDomainError } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';
import { computed, columns, read, sql, write } from '@payroll/store';
import { deleteExpiredCounters } from '../admission/rate-counters.js';
import { normalizeEmail, subjectsOf, type Subject } from '../domain/account.js';
import { tellNewBrowser } from '../mail/outbox.js';
import { AccountTable } from '../store/account-tables.js';
import { deleteExpiredAddresses, deleteExpiredResets } from './links.js';
import { argon2id, fittingHashes } from './passwords.js';
import { type NewSession, Sessions } from './sessions.js';
import { countAttempt, refundAttempt, keyOf } from './throttle.js';

export interface PasswordAttempt {
  email: string;
  password: string;
  address: string;
  /** Secret in the browser's device cookie, if any. */
  device: string | null;
}

/** The account whose password it was, as it was read then, and the device cookie if that account knows it. */
export type PasswordMatch = NonNullable<Awaited<ReturnType<typeof checkPassword>>>;

/**
 * Finds the account with this address and password. A failure costs the same work whatever its reason; null for a
 * wrong address or password.
 * @throws DomainError `RATE_LIMITED` after too many failures; `SERVICE_UNAVAILABLE` when too many sign in at the same
 * time.
 */
export async function checkPassword(em: EntityManager, attempt: PasswordAttempt, hash = argon2id) {
  return await tryAccounts(em, attempt, await findAccounts(em, attempt), hash);
}

/** Whether it is the password of the given account. @throws DomainError like `checkPassword`. */
export async function isOwnPassword(em: EntityManager, accountId: string, attempt: PasswordAttempt): Promise<boolean> {
  const own = (await findAccounts(em, attempt)).filter(({ id }) => id === accountId);
  return (await tryAccounts(em, attempt, own)) !== null;
}

/**
 * A browser known to one account of the address is unknown to the others, and its attempts at them are counted
 * accordingly.
 */
async function tryAccounts(
  em: EntityManager,
  { email: typed, password, address, device }: PasswordAttempt,
  accounts: readonly FoundAccount[],
  hash = argon2id,
) {
  const email = normalizeEmail(typed);
  const isKnown = accounts.some(({ isKnownDevice }) => isKnownDevice);
  const asStranger = subjectsOf({ address, email, knownDevice: null });
  const subjects = subjectsOf({ address, email, knownDevice: isKnown ? device : null });
  await countAttempt(em, subjects);
  const sharers = sharersOf({ address, email });
  const shared: typeof hash = (text, salt, cost, length) => hash(text, salt, cost, length, sharers);
  const fitting = await findFitting(accounts, password, shared).catch(async (error: unknown) => {
    await refundAttempt(em, subjects);
    throw error;
  });
  const mine = fitting.find(({ isKnownDevice }) => isKnownDevice);
  if (mine) {
    await refundAttempt(em, subjects);
    return { accountId: mine.id, updatedAt: mine.updatedAt, knownDevice: device };
  }
  if (isKnown && !(await mayTry(em, asStranger))) return null;
  const [other] = fitting;
  if (!other) return null;
  await refundAttempt(em, asStranger);
  return { accountId: other.id, updatedAt: other.updatedAt, knownDevice: null };
}

async function findFitting(accounts: readonly FoundAccount[], password: string, hash: typeof argon2id) {
  const hashes = accounts.map(({ passwordHash }) => passwordHash);
  const fitting = await fittingHashes(password, hashes, hash);
  return accounts.filter(({ passwordHash }) => fitting.has(passwordHash));
}

/** Whose shares of the hash queue the attempt uses. */
export function sharersOf(attempt: { address: string; email: string }): string[] {
  return subjectsOf({ ...attempt, knownDevice: null }).map(keyOf);
}

/** Reports too many attempts as a wrong password, so as not to reveal other accounts of the address. */
async function mayTry(em: EntityManager, subjects: readonly Subject[]): Promise<boolean> {
  try {
    await countAttempt(em, subjects);
    return true;
  } catch (error) {
    if (isDomainError(error, 'RATE_LIMITED')) return false;
    throw error;
  }
}

/** Mails an account that has known browsers when another one is added. Null like `Sessions.begin`. */
export async function beginSession(
  em: EntityManager,
  sessions: Sessions,
  { knownDevice, ...account }: PasswordMatch,
  { trustedDays = null, ...proof }: NewSession & { trustedDays?: number | null },
): Promise<{ session: string; device: string } | null> {
  const { accountId } = account;
  const session = await sessions.begin(account, proof);
  if (session === null) return null;
  if (knownDevice === null) {
    await write(em, tellNewBrowser(accountId));
  }
  return { session, device: await rememberDevice(em, accountId, knownDevice, trustedDays) };
}

type FoundAccount = Awaited<ReturnType<typeof findAccounts>>[number];

/** The account with a verified address first, then by creation. */
async function findAccounts(em: EntityManager, { email, device }: PasswordAttempt) {
  const isKnownDevice = sql`exists (
    select from known_device d where d.account_id = account.id and d.secret_hash = ${hashSecret(device ?? '')})`;
  return await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'passwordHash', 'updatedAt')}, ${computed('isKnownDevice', 'boolean', isKnownDevice)}
      from account where email = ${normalizeEmail(email)} order by email_verified_at is null, created_at, id`,
  );
}

export const DEVICE_DAYS = 180;

/**
 * Marks the browser as known to the account; a known browser keeps its secret.
 * @param trustedDays for how long sign-in requires no code in it; null unless a code was given.
 */
export async function rememberDevice(
  em: EntityManager,
  accountId: string,
  known: string | null,
  trustedDays: number | null = null,
): Promise<string> {
  const secret = known ?? newSecret();
  await write(
    em,
    sql`insert into known_device (secret_hash, account_id, last_used_at, factor_trusted_until)
      values (${hashSecret(secret)}, ${accountId}, now(), now() + make_interval(days => ${trustedDays}))
      on conflict (secret_hash) do update set last_used_at = now(),
        factor_trusted_until = greatest(known_device.factor_trusted_until, excluded.factor_trusted_until)`,
  );
  return secret;
}

export async function deleteExpiredSignIns(em: EntityManager): Promise<void> {
  await new Sessions(em).forget();
  await deleteExpiredResets(em);
  await deleteExpiredAddresses(em);
  await write(em, sql`delete from known_device where last_used_at < now() - ${`${DEVICE_DAYS} days`}::interval`);
  await deleteExpiredCounters(em, 'sign_in_counter');
}
