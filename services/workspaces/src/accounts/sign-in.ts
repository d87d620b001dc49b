import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '@payroll/kernel';
import { sql } from 'kysely';
import { type Draft, normalizeEmail, type Subject, subjectsOf } from '../domain/account.js';
import type { WorkspacesRows } from '../store/schema.js';
import { fittingHashes } from './passwords.js';
import { hashSecret, newSecret } from './secret.js';
import { Sessions } from './sessions.js';
import { beginAttempt, forgetAttempts, forgiveAttempt } from './throttle.js';

export interface PasswordAttempt {
  email: string;
  password: string;
  address: string;
  /** Of the browser's device cookie, if it has one. */
  device: string | null;
}

/** Whose password it was, and the device cookie if it is one of theirs. */
export interface Recognized {
  accountId: string;
  knownDevice: string | null;
}

/**
 * Whose password it is, of all accounts with this address; null, after the same work, whether the address or the password
 * is wrong, and however many there are.
 * @throws DomainError `RATE_LIMITED` after too many wrong ones; `SERVICE_UNAVAILABLE` when too many sign in at a time.
 */
export async function checkPassword(em: EntityManager, attempt: PasswordAttempt): Promise<Recognized | null> {
  return await tryAccounts(em, attempt, await findAccounts(em, attempt));
}

/** Whether it is the password of this very account. @throws DomainError as `checkPassword` does. */
export async function isOwnPassword(em: EntityManager, accountId: string, attempt: PasswordAttempt): Promise<boolean> {
  const own = (await findAccounts(em, attempt)).filter(({ id }) => id === accountId);
  return (await tryAccounts(em, attempt, own)) !== null;
}

/** A browser that is known to one account of the address is a stranger to the others, and counted as one for them. */
async function tryAccounts(
  em: EntityManager,
  { email: typed, password, address, device }: PasswordAttempt,
  accounts: readonly FoundAccount[],
): Promise<Recognized | null> {
  const email = normalizeEmail(typed);
  const [known, strange] = [accounts.filter(isKnown), accounts.filter((account) => !isKnown(account))];
  const asStranger = subjectsOf({ address, email, knownDevice: null });
  const subjects = known.length > 0 ? subjectsOf({ address, email, knownDevice: device }) : asStranger;
  await beginAttempt(em, subjects);
  const fitting = await fittingHashes(
    password,
    accounts.map(({ hash }) => hash),
  ).catch(async (error: unknown) => {
    await forgiveAttempt(em, subjects);
    throw error;
  });
  const fits = ({ hash }: FoundAccount): boolean => fitting.has(hash);
  const mine = known.find(fits);
  if (mine) return await recognize(em, mine, device, subjects);
  if (known.length > 0 && !(await mayTry(em, asStranger))) return null;
  const other = strange.find(fits);
  return other ? await recognize(em, other, null, asStranger) : null;
}

async function recognize(
  em: EntityManager,
  { id: accountId }: FoundAccount,
  knownDevice: string | null,
  subjects: readonly Subject[],
): Promise<Recognized> {
  await forgiveAttempt(em, subjects);
  return { accountId, knownDevice };
}

/** Too many tries are as a wrong password here: that there are other accounts is not to be seen. */
async function mayTry(em: EntityManager, subjects: readonly Subject[]): Promise<boolean> {
  try {
    await beginAttempt(em, subjects);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}

/** What the browser keeps from now on. */
export interface SignedInSecrets {
  session: string;
  device: string;
}

/** Signs a browser in that has shown whose it is. */
export async function beginSession(
  em: EntityManager,
  sessions: Sessions,
  { accountId, knownDevice }: Recognized,
  { userAgent, draft = null }: { userAgent: string; draft?: Draft | null },
): Promise<SignedInSecrets> {
  return {
    session: await sessions.begin(accountId, userAgent, draft),
    device: await rememberDevice(em, accountId, knownDevice),
  };
}

interface FoundAccount {
  id: string;
  hash: string;
  isKnownDevice: boolean;
}

const isKnown = ({ isKnownDevice }: FoundAccount): boolean => isKnownDevice;

/** Whoever has proved the address first, then in the order in which they were made. */
async function findAccounts(em: EntityManager, { email, device }: PasswordAttempt): Promise<FoundAccount[]> {
  return await em
    .getKysely<WorkspacesRows>()
    .selectFrom('account')
    .where('email', '=', normalizeEmail(email))
    .select(['id', 'password_hash as hash'])
    .select(
      sql<boolean>`exists (
        select from known_device d where d.account_id = account.id and d.secret_hash = ${hashSecret(device ?? '')})`.as(
        'isKnownDevice',
      ),
    )
    .orderBy(sql`proved_at is null`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export const DEVICE_DAYS = 180;

/** Marks the browser as one of the account's own; one that is known keeps its secret. */
export async function rememberDevice(em: EntityManager, accountId: string, known: string | null): Promise<string> {
  const secret = known ?? newSecret();
  await em
    .getKysely<WorkspacesRows>()
    .insertInto('known_device')
    .values({ secret_hash: hashSecret(secret), account_id: accountId, last_used_at: sql<string>`now()` })
    .onConflict((conflict) => conflict.column('secret_hash').doUpdateSet({ last_used_at: sql<string>`now()` }))
    .execute();
  return secret;
}

/** Drops those that have not signed in for so long. */
async function forgetDevices(em: EntityManager): Promise<void> {
  await sql`delete from known_device where last_used_at < now() - ${`${DEVICE_DAYS} days`}::interval`.execute(
    em.getKysely(),
  );
}

/** Drops what signing in has left behind and is over. */
export async function forgetSignIns(em: EntityManager): Promise<void> {
  await new Sessions(em).forget();
  await forgetDevices(em);
  await forgetAttempts(em);
}
