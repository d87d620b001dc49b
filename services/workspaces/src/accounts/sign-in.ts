import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '@payroll/kernel';
import { sql } from 'kysely';
import { normalizeEmail } from '../domain/account.js';
import { subjectsOf } from '../domain/attempts.js';
import type { WorkspacesRows } from '../store/schema.js';
import { rememberDevice } from './known-devices.js';
import { fitsPassword } from './password-hash.js';
import { hashSecret } from './secret.js';
import type { Sessions } from './sessions.js';
import { beginAttempt, forgiveAttempt } from './throttle.js';

export interface SignIn {
  email: string;
  password: string;
  address: string;
  userAgent: string;
  /** Of the browser's device cookie, if it has one. */
  device: string | null;
}

/** What the browser keeps from now on. */
export interface SignedInSecrets {
  session: string;
  device: string;
}

/**
 * Begins a session for who knows the password.
 * @throws DomainError `INVALID_CREDENTIAL`, the same after the same work whether the address or the password is wrong;
 * `RATE_LIMITED` after too many of them; `SERVICE_UNAVAILABLE` when too many sign in at the same time.
 */
export async function signIn(em: EntityManager, sessions: Sessions, input: SignIn): Promise<SignedInSecrets> {
  const email = normalizeEmail(input.email);
  const account = await findAccount(em, email, input.device);
  const knownDevice = account?.isKnownDevice ? input.device : null;
  const subjects = subjectsOf({ address: input.address, email, knownDevice });
  await beginAttempt(em, subjects);
  const isRight = await fitsPassword(input.password, account?.passwordHash ?? null).catch(async (error: unknown) => {
    await forgiveAttempt(em, subjects);
    throw error;
  });
  if (!account || !isRight) throw new DomainError('INVALID_CREDENTIAL', 'The e-mail address or the password is wrong.');
  await forgiveAttempt(em, subjects);
  return {
    session: await sessions.begin(account.id, input.userAgent),
    device: await rememberDevice(em, account.id, knownDevice),
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
