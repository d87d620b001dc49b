import type { EntityManager } from '@mikro-orm/postgresql';
import { hashProof } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { type SavedForm, hashSecret, newSecret } from '@payroll/pages';
import { computed, columns, read, sql, rawSql, write } from '@payroll/store';
import type { ReadAccount } from '../domain/account.js';
import { AccountTable, SessionTable } from '../store/account-tables.js';
import { HAS_SECOND_FACTOR } from './second-factor.js';

const IDLE = '60 min';
const LIFETIME = '12 h';
/** Not expired, and used recently. */
export const LIVE_SESSION = `session.expires_at > now() and session.last_seen_at > now() - interval '${IDLE}'`;
/** How long an entered password, with the second factor if there is one, allows changes that give access. */
export const RECENT_PASSWORD_WINDOW = '10 min';

/** The session of a signed-in browser, as of this request; `isRecent`: both were entered within `RECENT_PASSWORD_WINDOW`. */
export type SignedInSession = NonNullable<Awaited<ReturnType<Sessions['find']>>>;
export type Account = SignedInSession['account'];

export interface NewSession {
  userAgent: string;
  draft?: SavedForm | null;
  /** Whether the second factor was given too, if the account has one. */
  isProven: boolean;
}

const proofHashOf = (secret: string): string => hashProof(hashSecret(secret));

function toJsonb({ path, fields }: SavedForm): string {
  const storableFields = Object.entries(fields).map(([name, value]) => [
    storable(name),
    Array.isArray(value) ? value.map(storable) : storable(value),
  ]);
  return JSON.stringify({ path: storable(path), fields: Object.fromEntries(storableFields) as unknown });
}

/** Postgres refuses U+0000 and halves of surrogate pairs, which a browser may send: each becomes U+FFFD, as in HTML. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Sessions of signed-in browsers. The cookie holds the secret; Postgres holds only its hash. */
export class Sessions {
  constructor(private readonly em: EntityManager) {}

  /**
   * Begins a session. Always creates a new secret, so that one planted in the browser before is worthless. Null if the
   * account has changed since it was read: a new password ends the sessions (`endSignIns`), and one that began later with
   * the former password would be missed.
   */
  async begin(
    { accountId, updatedAt }: ReadAccount,
    { userAgent, draft = null, isProven }: NewSession,
  ): Promise<string | null> {
    const secret = newSecret();
    const authenticatedAt = rawSql(isProven ? 'now()' : "'epoch'");
    const begun = await write(
      this.em,
      sql`insert into session (id, account_id, proof_hash, user_agent, draft, created_at, authenticated_at,
          last_seen_at, expires_at)
        select ${newId()}::uuid, id, ${proofHashOf(secret)}, ${userAgent.slice(0, 300)},
          ${draft && toJsonb(draft)}::jsonb, now(), ${authenticatedAt}, now(), now() + ${LIFETIME}::interval
        from account where id = ${accountId} and updated_at = ${updatedAt} for share`,
    );
    return begun === 1 ? secret : null;
  }

  /** The live session with this secret. Looking it up keeps it alive (recorded once a minute). */
  async find(secret: string) {
    return await this.findByProof(hashSecret(secret));
  }

  /** The same by the hash of the secret, which is what other processes send. */
  async findByProof(proof: string) {
    const [row] = await read(
      this.em,
      sql`with live as (
          select * from session
          where proof_hash = ${hashProof(proof)} and ${rawSql(LIVE_SESSION)}
        ), seen as (
          update session set last_seen_at = now()
          from live where session.id = live.id and live.last_seen_at < now() - interval '1 min'
        )
        select ${columns(AccountTable, 'id', 'email', 'name')}, ${computed('sessionId', 'uuid', sql`live.id`)},
          ${computed('authenticatedAt', 'timestamptz', sql`live.authenticated_at`)},
          ${computed('isRecent', 'boolean', sql`live.authenticated_at > now() - ${RECENT_PASSWORD_WINDOW}::interval`)},
          ${columns(AccountTable, 'closesAt', 'updatedAt')}, ${computed('hasSecondFactor', 'boolean', rawSql(HAS_SECOND_FACTOR))}
        from live join account on account.id = live.account_id and account.closed_at is null`,
    );
    if (!row) return null;
    const { id, email, name, ...rest } = row;
    return { ...rest, account: { id, email, name } };
  }

  /** The live sessions of an account, last used first. */
  async list(accountId: string) {
    return await read(
      this.em,
      sql`select ${columns(SessionTable, 'id', 'userAgent', 'createdAt', 'lastSeenAt')} from session
        where account_id = ${accountId} and ${rawSql(LIVE_SESSION)}
        order by last_seen_at desc`,
    );
  }

  /**
   * Counts what was entered as a recent proof, unless the account has changed since the session was looked up: one that has
   * a second factor by now requires its code as well.
   */
  async confirm({ sessionId, account, updatedAt }: SignedInSession): Promise<void> {
    await write(
      this.em,
      sql`with unchanged as (
          select id from account where id = ${account.id} and updated_at = ${updatedAt} for share
        )
        update session set authenticated_at = now() from unchanged
        where session.id = ${sessionId} and session.account_id = unchanged.id`,
    );
  }

  async keepDraft({ sessionId }: Pick<SignedInSession, 'sessionId'>, draft: SavedForm): Promise<void> {
    await write(this.em, sql`update session set draft = ${toJsonb(draft)}::jsonb where id = ${sessionId}`);
  }

  /** Returns the saved form of this path and deletes it. */
  async takeDraft(
    { sessionId }: Pick<SignedInSession, 'sessionId'>,
    path: string,
  ): Promise<SavedForm['fields'] | null> {
    const [taken] = await read(
      this.em,
      sql`with kept as (
          select id, draft from session where id = ${sessionId} and draft->>'path' = ${path} for update
        )
        update session set draft = null from kept where session.id = kept.id
        returning ${rawSql<Pick<SavedForm, 'fields'>>("kept.draft->'fields' as fields")}`,
    );
    return taken?.fields ?? null;
  }

  async end({ sessionId, account }: { sessionId: string; account: Pick<Account, 'id'> }): Promise<void> {
    await write(this.em, sql`delete from session where id = ${sessionId} and account_id = ${account.id}`);
  }

  async forget(): Promise<void> {
    await write(this.em, sql`delete from session where expires_at < now() or last_seen_at < now() - ${IDLE}::interval`);
  }
}
