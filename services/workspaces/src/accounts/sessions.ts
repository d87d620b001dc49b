import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, toInstant, type Instant } from '@payroll/kernel';
import { sql } from 'kysely';
import type { Draft } from '../domain/account.js';
import type { WorkspacesRows } from '../store/schema.js';
import { hashSecret, newSecret } from './secret.js';

const IDLE_MINUTES = 60;
const LIFETIME_HOURS = 12;
/** How long a password is good for what gives somebody access. */
export const RECENT = '10 min';

export interface Account {
  id: string;
  email: string;
  name: string;
}

/** A browser that is signed in, as of this request. */
export interface SignedIn {
  sessionId: string;
  account: Account;
  /** When the password was last given in this browser. */
  authenticatedAt: Instant;
  /** Whether that was so short a time ago that nobody else can have come to the browser meanwhile. */
  isRecent: boolean;
}

/** What an account's page shows of a browser that is signed in. */
export interface SessionSummary {
  id: string;
  userAgent: string;
  createdAt: Instant;
  lastSeenAt: Instant;
}

/** Who is signed in where. The secret is in the browser's cookie; here is only its hash. */
export class Sessions {
  constructor(private readonly em: EntityManager) {}

  /** Begins a session; the secret is always a new one, so that one planted in the browser before is worth nothing. */
  async begin(accountId: string, userAgent: string, draft: Draft | null = null): Promise<string> {
    const secret = newSecret();
    await this.rows
      .insertInto('session')
      .values({
        id: newId(),
        account_id: accountId,
        secret_hash: hashSecret(secret),
        user_agent: userAgent.slice(0, 300),
        draft: draft && sql<Draft>`${JSON.stringify(draft)}::jsonb`,
        created_at: sql<string>`now()`,
        authenticated_at: sql<string>`now()`,
        last_seen_at: sql<string>`now()`,
        expires_at: sql<string>`now() + ${`${LIFETIME_HOURS} h`}::interval`,
      })
      .execute();
    return secret;
  }

  /** Whose session it is, if its time is not over; being asked for keeps it alive (noted once a minute). */
  async find(secret: string): Promise<SignedIn | null> {
    const { rows } = await sql<Omit<SignedIn, 'account'> & Omit<Account, 'id'> & { accountId: string }>`
      with live as (
        select s.id, s.account_id, s.authenticated_at, s.last_seen_at, a.email, a.name
        from session s join account a on a.id = s.account_id
        where s.secret_hash = ${hashSecret(secret)} and s.expires_at > now()
          and s.last_seen_at > now() - ${`${IDLE_MINUTES} min`}::interval
      ), seen as (
        update session set last_seen_at = now()
        from live where session.id = live.id and live.last_seen_at < now() - interval '1 min'
      )
      select id as "sessionId", account_id as "accountId", email, name, authenticated_at as "authenticatedAt",
        authenticated_at > now() - ${RECENT}::interval as "isRecent"
      from live`.execute(this.rows);
    const [row] = rows;
    if (!row) return null;
    const { accountId, email, name, authenticatedAt, ...rest } = row;
    return { ...rest, account: { id: accountId, email, name }, authenticatedAt: toInstant(authenticatedAt) };
  }

  /** The live ones of an account, the one last used first. */
  async list(accountId: string): Promise<SessionSummary[]> {
    const rows = await this.rows
      .selectFrom('session')
      .where('account_id', '=', accountId)
      .where('expires_at', '>', sql<string>`now()`)
      .where('last_seen_at', '>', sql<string>`now() - ${`${IDLE_MINUTES} min`}::interval`)
      .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
      .orderBy('last_seen_at', 'desc')
      .execute();
    return rows.map(({ createdAt, lastSeenAt, ...row }) => ({
      ...row,
      createdAt: toInstant(createdAt),
      lastSeenAt: toInstant(lastSeenAt),
    }));
  }

  /** The password was given once more. */
  async confirm({ sessionId }: SignedIn): Promise<void> {
    await this.rows
      .updateTable('session')
      .set({ authenticated_at: sql<string>`now()` })
      .where('id', '=', sessionId)
      .execute();
  }

  /** Instead of any other. */
  async keepDraft({ sessionId }: SignedIn, draft: Draft): Promise<void> {
    await sql`update session set draft = ${JSON.stringify(draft)}::jsonb where id = ${sessionId}`.execute(this.rows);
  }

  /** What waits for the page at this path, which it is told once. */
  async takeDraft({ sessionId }: SignedIn, path: string): Promise<Draft['fields'] | null> {
    const { rows } = await sql<{ fields: Draft['fields'] }>`
      with kept as (
        select id, draft from session where id = ${sessionId} and draft->>'path' = ${path} for update
      )
      update session set draft = null from kept where session.id = kept.id
      returning kept.draft->'fields' as fields`.execute(this.rows);
    return rows[0]?.fields ?? null;
  }

  async end({ sessionId, account }: { sessionId: string; account: { id: string } }): Promise<void> {
    await this.rows.deleteFrom('session').where('id', '=', sessionId).where('account_id', '=', account.id).execute();
  }

  /** Signs the account out everywhere. */
  async endAll(accountId: string): Promise<void> {
    await this.rows.deleteFrom('session').where('account_id', '=', accountId).execute();
  }

  /** Drops those whose time is over. */
  async forget(): Promise<void> {
    await sql`
      delete from session
      where expires_at < now() or last_seen_at < now() - ${`${IDLE_MINUTES} min`}::interval`.execute(this.rows);
  }

  private get rows() {
    return this.em.getKysely<WorkspacesRows>();
  }
}
