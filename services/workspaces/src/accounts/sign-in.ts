import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { normalizeEmail } from '../domain/account.js';
import { subjectsOf } from '../domain/attempts.js';
import type { WorkspacesRows } from '../store/schema.js';
import { rememberDevice } from './known-devices.js';
import { fitsPassword } from './password-hash.js';
import { hashSecret } from './secret.js';
import type { Sessions } from './sessions.js';
import { beginAttempt, forgiveAttempt } from './throttle.js';

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
 * Whose password it is; null, after the same work, whether the address or the password is wrong.
 * @throws DomainError `RATE_LIMITED` after too many wrong ones; `SERVICE_UNAVAILABLE` when too many sign in at a time.
 */
export async function checkPassword(em: EntityManager, attempt: PasswordAttempt): Promise<Recognized | null> {
  const email = normalizeEmail(attempt.email);
  const account = await findAccount(em, email, attempt.device);
  const knownDevice = account?.isKnownDevice ? attempt.device : null;
  const subjects = subjectsOf({ address: attempt.address, email, knownDevice });
  await beginAttempt(em, subjects);
  const isRight = await fitsPassword(attempt.password, account?.passwordHash ?? null).catch(async (error: unknown) => {
    await forgiveAttempt(em, subjects);
    throw error;
  });
  if (!account || !isRight) return null;
  await forgiveAttempt(em, subjects);
  return { accountId: account.id, knownDevice };
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
  userAgent: string,
): Promise<SignedInSecrets> {
  return {
    session: await sessions.begin(accountId, userAgent),
    device: await rememberDevice(em, accountId, knownDevice),
  };
}

interface FoundAccount {
  id: string;
  passwordHash: string;
  isKnownDevice: boolean;
}

async function findAccount(em: EntityManager, email: string, device: string | null): Promise<FoundAccount | undefined> {
  return await em
    .getKysely<WorkspacesRows>()
    .selectFrom('account')
    .where('email', '=', email)
    .select(['id', 'password_hash as passwordHash'])
    .select(
      sql<boolean>`exists (
        select from known_device d where d.account_id = account.id and d.secret_hash = ${hashSecret(device ?? '')})`.as(
        'isKnownDevice',
      ),
    )
    .executeTakeFirst();
}
