import type { EntityManager } from '@mikro-orm/postgresql';
import { read, sql, rawSql, write, Sql } from '@payroll/store';
import { RECENT_PASSWORD_WINDOW, LIVE_SESSION } from '../accounts/sessions.js';
import { HAS_SECOND_FACTOR, LACKS_REQUIRED_FACTOR } from '../accounts/second-factor.js';
import { type Holder, type Principal, type Visitor, type CounterPosition, QUOTAS } from '../domain/admission.js';
import { countInto } from './rate-counters.js';

/** A credential as the statement reads it. Every edge leaves out what its credentials do not have. */
export interface Presented {
  /** The network that a failure counts for; null for a request that must not count as one. */
  network: string | null;
  kind?: 'api_key' | 'connection' | 'token' | 'session';
  id?: string;
  hash?: string;
  limit?: 'reads' | 'writes';
  workspaceId?: string | null;
  as?: 'worker' | undefined;
  clientId?: string;
  subject?: string;
  grantId?: string | null;
}

/** The live connection of an access token. */
export interface Connection extends Omit<Principal, 'kind' | 'writesEnabled' | 'workspaceId'> {
  connectionId: string;
  workspaceName: string;
}

/** The callers of each edge, by the entry point that it serves. */
interface Callers {
  rest: Principal;
  graphql: Extract<Holder, { kind: 'token' }>;
  web: Visitor;
  mcp: Connection;
}

/** `caller` is null for a credential that is unknown, wrong, expired or revoked: its failure was counted. */
export interface Found<Caller> {
  caller: Caller | null;
  /** The positions of the request in its rate counters; none for staff and services. */
  standings: readonly CounterPosition[];
}

/** Joins that a connection `c` needs to be live: client, membership, and the grant of the embedded server. */
export const LIVE_CONNECTION = `
     join mcp_client k on k.workspace_id = c.workspace_id and k.id = c.client_id and k.status = 'enabled'
     join membership m on m.workspace_id = c.workspace_id and m.id = c.membership_id and m.left_at is null
     join business b on b.id = c.workspace_id
     where c.revoked_at is null and (c.grant_id is null or exists (
       select from oauth_artifact t where t.kind = 'Grant' and t.grant_id = c.grant_id and t.expires_at > now()))`;

const PRINCIPAL = `m.role, b.integration_enabled as "integrationEnabled", b.writes_enabled as "writesEnabled"`;

/** A row that a command has locked is skipped, and noted by the next use: no request waits for it. */
const noteUseIn = (table: string, column: string) => (ids: readonly string[]) =>
  sql`update ${rawSql(table)} set ${rawSql(column)} = now() where id in (
    select id from ${rawSql(table)} where id = any(${ids}::uuid[]) order by id for update skip locked)`;

/** The row in which this use is to be noted: none where the last one was noted within the minute. */
const toNote = (id: string, lastUsed: string): string =>
  `case when ${lastUsed} is null or ${lastUsed} < now() - interval '1 min' then ${id} end as note`;

interface Lookup {
  /**
   * SQL for a row `(n, own, quota, shared, note, facts)` of each live caller: the counter of its own, the workspace whose
   * counter its requests within the quota use up too, and the id of the row in which its use is to be noted.
   */
  callers: string;
  noteUse?: (ids: readonly string[]) => Sql;
}

/** Secrets are compared as hashes of hashes of 256 random bits, so timing reveals nothing. */
const LOOKUPS: Readonly<Record<keyof Callers, Lookup>> = {
  rest: {
    callers: `
     select n, "limit" || '/' || "principalId" as own, case "limit" when 'reads' then ${QUOTAS.reads} else ${QUOTAS.writes} end as quota,
       "workspaceId" as shared, note, to_json(principal) as facts
     from (
       select a.n, a."limit", ${toNote('k.id', 'k.last_used_at')}, a.kind, k.workspace_id as "workspaceId", k.principal_id as "principalId", k.scopes, ${PRINCIPAL}
       from asked a
       join api_key k on a.kind = 'api_key' and k.id = a.id and k.secret_hash = a.hash and k.revoked_at is null and k.expires_at > now()
       join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
       join business b on b.id = k.workspace_id
       union all
       select a.n, a."limit", null, a.kind, c.workspace_id, c.principal_id, c.scopes, ${PRINCIPAL}
       from asked a
       join mcp_connection c on a.kind = 'connection' and c.id = a.id
       ${LIVE_CONNECTION}
     ) principal`,
    noteUse: noteUseIn('api_key', 'last_used_at'),
  },
  graphql: {
    callers: `
     select a.n, null as own, null::int as quota, null::uuid as shared, null::uuid as note, json_build_object('kind', 'token',
       'workspaceId', b.id, 'principalId', t.id, 'team', t.team, 'owner', t.owner) as facts
     from asked a
     join internal_token t on t.id = a.id and t.secret_hash = a.hash and t.revoked_at is null and t.expires_at > now()
     join business b on b.id = a."workspaceId"`,
  },
  web: {
    callers: `
     select a.n, 'pages/' || account.id as own, null::int as quota, null::uuid as shared, ${toNote('session.id', 'session.last_seen_at')}, json_build_object(
       'kind', 'session', 'sessionId', session.id, 'email', account.email,
       'isRecent', session.authenticated_at > now() - interval '${RECENT_PASSWORD_WINDOW}',
       'names', json_build_object('person', account.name, 'workspace', business.name),
       'membership', case when m.id is not null
         then json_build_object('workspaceId', m.workspace_id, 'membershipId', m.id, 'role', m.role,
           'lacksRequiredFactor', ${LACKS_REQUIRED_FACTOR}) end,
       'access', case when w.id is not null
         then json_build_object('workspaceId', w.workspace_id, 'accessId', w.id, 'workerId', w.worker_id,
           'hasSecondFactor', ${HAS_SECOND_FACTOR}) end) as facts
     from asked a
     join session on session.proof_hash = a.hash and ${LIVE_SESSION}
     join account on account.id = session.account_id and account.closed_at is null
     left join membership m on m.workspace_id = a."workspaceId" and m.account_id = account.id and m.left_at is null
       and a."as" is null
     left join worker_access w on w.workspace_id = a."workspaceId" and w.account_id = account.id and w.ended_at is null
       and a."as" = 'worker'
     left join business on business.id = coalesce(m.workspace_id, w.workspace_id)`,
    noteUse: noteUseIn('session', 'last_seen_at'),
  },
  mcp: {
    callers: `
     select a.n, 'messages/' || c.principal_id as own, null::int as quota, null::uuid as shared, ${toNote('c.id', 'c.last_used_at')}, json_build_object(
       'connectionId', c.id, 'principalId', c.principal_id, 'workspaceName', b.name, 'role', m.role, 'scopes', c.scopes,
       'integrationEnabled', b.integration_enabled) as facts
     from asked a
     join mcp_connection c on c.workspace_id = a."workspaceId" and c.client_id = a."clientId" and c.subject = a.subject
       and (c.grant_id = a."grantId" or (c.grant_id is null and a."grantId" is null))
     ${LIVE_CONNECTION}`,
    noteUse: noteUseIn('mcp_connection', 'last_used_at'),
  },
};

interface Row {
  n: number;
  note: string | null;
  facts: Callers[keyof Callers] | null;
  /** The caller's own counter, or the failures of its network; null where neither counts. */
  name: CounterPosition['name'] | null;
  position: number;
  reset: number;
  sharedPosition: number | null;
  sharedReset: number;
}

/**
 * Finds callers and counts their requests and failures. The whole batch is added to a counter at once; each request's
 * position in it is its place among those of the batch. The parameter is one JSON document instead of arrays: Postgres
 * keeps one plan for any size. The text is put together once, not for each batch.
 */
function statement({ callers }: Lookup) {
  const { texts } = sql`
    with asked as (
      select * from json_to_recordset(${''}) as a (n int, network text, kind text, id uuid, hash text, "limit" text,
        "workspaceId" uuid, "as" text, "clientId" text, subject text, "grantId" uuid)
    ), caller as (${rawSql(callers)}
    ), request as (
      -- The subject is the counter: the caller's own or, without a caller, the failures of the network.
      select a.n, c.note, c.facts, c.quota, c.shared, case when c.n is null then 'failures/' || a.network else c.own end as subject
      from asked a left join caller c using (n)
    ), own_demand as (
      select subject, count(*)::int as wanted from request where subject is not null group by subject
    ), own_used as (${rawSql(countInto('own_demand'))}
    ), placed as (
      -- The counter includes the whole batch: the count over the window is this request and the later ones.
      select n, note, facts, quota, 'workspace/' || shared as shared, subject, reset,
        used + 1 - (count(*) over (partition by subject order by n desc))::int as position
      from request left join own_used using (subject)
    ), shared_demand as (
      -- Only what the principal's own limit lets through uses up the workspace's.
      select shared as subject, (count(*) filter (where position <= quota))::int as wanted
      from placed where shared is not null group by shared
    ), shared_used as (${rawSql(countInto('shared_demand'))}
    )
    select n, note, facts, split_part(placed.subject, '/', 1) as name, position, placed.reset, s.reset as "sharedReset",
      s.used + 1 - case when position <= quota
        then (count(*) filter (where position <= quota) over (partition by shared order by n desc))::int else 0 end as "sharedPosition"
    from placed left join shared_used s on s.subject = shared`;
  return (asked: string) => new Sql<Row>(texts, [asked]);
}

const STATEMENTS = {
  rest: statement(LOOKUPS.rest),
  graphql: statement(LOOKUPS.graphql),
  web: statement(LOOKUPS.web),
  mcp: statement(LOOKUPS.mcp),
};

/**
 * The caller of each request of a batch, in the same order, by one statement, and by another one where a use is noted: once
 * a minute for each credential. Null entries are left out, and not counted.
 */
export async function findCallers<Via extends keyof Callers>(
  em: EntityManager,
  via: Via,
  presented: readonly (Presented | null)[],
): Promise<(Found<Callers[Via]> | null)[]> {
  const asked = presented.flatMap((each, n) => (each === null ? [] : [{ n, ...each }]));
  const found = presented.map((): Found<Callers[Via]> | null => null);
  if (asked.length === 0) return found;
  const rows = await read(em, STATEMENTS[via](JSON.stringify(asked)));
  for (const { n, facts, name, position, reset, sharedPosition, sharedReset } of rows) {
    const standings: CounterPosition[] = [];
    if (name !== null) standings.push({ name, position, resetSeconds: reset });
    if (sharedPosition !== null) {
      standings.push({ name: 'workspace', position: sharedPosition, resetSeconds: sharedReset });
    }
    found[n] = { caller: facts as Callers[Via] | null, standings };
  }
  const used = rows.flatMap(({ note }) => note ?? []);
  if (used.length > 0) await write(em, LOOKUPS[via].noteUse!(used));
  return found;
}
