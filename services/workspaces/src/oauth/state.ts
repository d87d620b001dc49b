import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, sql, rawSql, write } from '@payroll/store';
import {
  errors,
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type default as Provider,
} from 'oidc-provider';
import { OauthArtifactTable } from '../store/oauth-tables.js';
import type { SealedBox } from './sealed-box.js';
import { isId } from '@payroll/kernel';
import { hashSecret } from '@payroll/pages';
import { LIVE_CONNECTION } from '../admission/find-callers.js';

/**
 * Stores the authorization server's state in Postgres, so that it survives restarts and is shared by all processes.
 */
export function createAdapter(em: EntityManager, box: SealedBox): AdapterFactory {
  return (kind) => {
    if (kind === 'Client') return clientAdapter(em);
    return kind === 'Session' ? forgetful : new ArtifactAdapter(em, box, kind);
  };
}

/** Whether it was used, and may not be used again. */
const SPENT = sql`consumed_at is not null`;

/** Hosts refresh from two windows at the same moment, and again after an answer that was lost. */
const SPENT_REFRESH_TOKEN = sql`coalesce(consumed_at < clock_timestamp() - interval '30 s', false)`;

const nothing = () => Promise.resolve(undefined);

/** Stores no sessions: each authorization checks the web session, so that signing out there is enough. */
const forgetful: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** Stores clients that registered themselves. */
function clientAdapter(em: EntityManager): Adapter {
  return {
    ...forgetful,
    upsert: async (id, payload) => {
      await write(
        em,
        sql`insert into oauth_client (id, metadata, created_at)
          values (${id}, ${JSON.stringify(payload)}, clock_timestamp())
          on conflict (id) do update set metadata = excluded.metadata`,
      );
    },
    find: async (id) => {
      // Postgres refuses it as a parameter.
      if (id.includes('\0')) return undefined;
      const metadata = rawSql<{ metadata: AdapterPayload }>('metadata');
      const [found] = await read(em, sql`select ${metadata} from oauth_client where id = ${id}`);
      return found?.metadata;
    },
    destroy: async (id) => {
      await write(em, sql`delete from oauth_client where id = ${id}`);
    },
  };
}

/**
 * Rows are found by the SHA-256 of the code or token, and their payload is sealed: a stolen table contains no usable
 * credential.
 */
class ArtifactAdapter implements Adapter {
  /** Only used by sessions and by flows that are not offered. */
  readonly findByUid = nothing;
  readonly findByUserCode = nothing;

  private readonly isSpent: typeof SPENT;

  constructor(
    private readonly em: EntityManager,
    private readonly box: SealedBox,
    private readonly kind: string,
  ) {
    this.isSpent = kind === 'RefreshToken' ? SPENT_REFRESH_TOKEN : SPENT;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInS: number): Promise<void> {
    const idHash = hashSecret(id);
    const { jti: _, ...rest } = payload;
    const grantId = this.kind === 'Grant' ? id : (payload.grantId ?? null);
    const sealed = this.box.seal(JSON.stringify(rest), this.context(idHash));
    await write(
      this.em,
      sql`insert into oauth_artifact (kind, id_hash, grant_id, sealed, expires_at)
        values (${this.kind}, ${idHash}, ${grantId}, ${sealed}, clock_timestamp() + ${`${expiresInS} s`}::interval)
        on conflict (kind, id_hash) do update
        set grant_id = excluded.grant_id, sealed = excluded.sealed, expires_at = excluded.expires_at`,
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const idHash = hashSecret(id);
    const consumed = computed('consumed', 'boolean', this.isSpent);
    const [row] = await read(
      this.em,
      sql`select ${columns(OauthArtifactTable, 'sealed')}, ${consumed} from oauth_artifact
        where kind = ${this.kind} and id_hash = ${idHash} and expires_at > clock_timestamp()`,
    );
    if (!row) return undefined;
    const text = this.openIfOurs(row.sealed, idHash);
    if (text === null) return undefined;
    const payload = JSON.parse(text) as AdapterPayload;
    return { ...payload, jti: id, ...(row.consumed && { consumed: true }) };
  }

  /** @throws InvalidGrant if it is spent, as a code is by the first of several concurrent uses; its grant is revoked. */
  async consume(id: string): Promise<void> {
    const mine = sql`kind = ${this.kind} and id_hash = ${hashSecret(id)}`;
    const use = sql`update oauth_artifact set consumed_at = coalesce(consumed_at, clock_timestamp())
      where ${mine} and not (${this.isSpent})`;
    if ((await write(this.em, use)) > 0) return;
    const grant = sql`select grant_id from oauth_artifact where ${mine}`;
    await write(this.em, sql`delete from oauth_artifact where grant_id = (${grant})`);
    throw new errors.InvalidGrant('it was used before');
  }

  async destroy(id: string): Promise<void> {
    await write(this.em, sql`delete from oauth_artifact where kind = ${this.kind} and id_hash = ${hashSecret(id)}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await write(this.em, sql`delete from oauth_artifact where kind = ${this.kind} and grant_id = ${grantId}`);
  }

  /** Null if it was sealed under another OAUTH_SECRET: then the assistant lets its person sign in again. */
  private openIfOurs(sealed: string, idHash: string): string | null {
    try {
      return this.box.open(sealed, this.context(idHash));
    } catch {
      return null;
    }
  }

  /** A payload can be opened only in the row it was sealed for. */
  private context(idHash: string): string {
    return `${this.kind}/${idHash}`;
  }
}

/**
 * Deletes expired artifacts and unused clients, since anyone can register any number of clients. Revokes connections
 * whose grant has expired or was deleted because a spent code or refresh token was used; otherwise the pages would
 * show them as active forever. Keeps clients that a workspace has enabled or was asked to enable.
 */
export async function deleteExpiredArtifacts(em: EntityManager): Promise<void> {
  await write(em, sql`delete from oauth_artifact where expires_at < now()`);
  await write(
    em,
    // A consent saves its grant after the connection: give it an hour.
    sql`with ended as (
        update mcp_connection c set revoked_at = now()
        where revoked_at is null and grant_id is not null and created_at < now() - interval '1 h'
          and not exists (select from oauth_artifact a where a.kind = 'Grant' and a.grant_id = c.grant_id)
        returning id, workspace_id, client_id
      )
      insert into audit_entry
        (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
      select gen_random_uuid(), workspace_id, now(), 'system', '00000000-0000-0000-0000-000000000000', 'runner',
        gen_random_uuid()::text, 'mcp-connection.expired', ended.id, jsonb_build_object('name', k.name)
      from ended join mcp_client k using (workspace_id) where k.id = ended.client_id`,
  );
  await write(
    em,
    sql`delete from oauth_client c
      where coalesce(last_used_at + interval '90 days', created_at + interval '1 day') < now()
        and not exists (
          select from mcp_client k
          where k.id = c.id
            and (k.status = 'enabled' or (k.status = 'asked' and k.changed_at > now() - interval '30 days')))`,
  );
}

const useOf = (grantId: string) => sql`
  with live as (
     select c.workspace_id, c.client_id
     from mcp_connection c
     ${rawSql(LIVE_CONNECTION)} and c.grant_id = ${grantId}
   ), used as (
     update oauth_client set last_used_at = now() from live
     where oauth_client.id = live.client_id
       and (oauth_client.last_used_at is null or oauth_client.last_used_at < now() - interval '1 h')
   )
   select ${computed('workspaceId', 'uuid', sql`workspace_id`)} from live`;

/**
 * The grant's workspace while everything it depends on is live. Records that the client is in use: unused ones are
 * deleted.
 */
export async function useGrant(em: EntityManager, grantId: unknown): Promise<{ workspaceId: string } | null> {
  if (!isId(grantId)) return null;
  return (await read(em, useOf(grantId)))[0] ?? null;
}

interface GrantFacts {
  /** The id that the connection already has. */
  grantId: string;
  accountId: string;
  clientId: string;
  scopes: readonly string[];
  resource: string;
}

/** Saves a person's consent for the authorization server; all tokens depend on it. */
export async function saveGrant(provider: Provider, facts: GrantFacts): Promise<void> {
  const { grantId, accountId, clientId, resource } = facts;
  const scopes = facts.scopes.join(' ');
  const grant = new provider.Grant({ accountId, clientId });
  grant.jti = grantId;
  grant.addOIDCScope(scopes);
  grant.addResourceScope(resource, scopes);
  await grant.save();
}
