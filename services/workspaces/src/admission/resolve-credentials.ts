import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type AdmissionRequest,
  type BearerCredential,
  type Credential,
  hashProof,
  type SessionCredential,
} from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { fixedText, read, sql, rawSql } from '@payroll/store';
import { readProof } from '../connections/assertion.js';
import { LIVE_CONNECTION } from '../connections/find-connection.js';
import type { Holder, Principal, Visitor } from '../domain/admission.js';
import { type Counter, BatchPositions, QUOTAS, type CounterPosition } from '../domain/counter-position.js';
import { LIVE_SESSION, RECENT_PASSWORD_WINDOW } from '../accounts/sessions.js';
import { HAS_SECOND_FACTOR, LACKS_REQUIRED_FACTOR } from '../accounts/second-factor.js';
import { countInto } from './rate-counters.js';

/** A question with its credential. */
type Presented<Of extends Credential> = AdmissionRequest & { credential: Of };

/** The live holder of a credential, and the positions of the request in its rate counters. */
export interface Found {
  holder: Holder;
  standings: readonly CounterPosition[];
}

type CredentialLookup = Map<AdmissionRequest, Found>;

export interface HolderOptions {
  em: EntityManager;
  /** Verifies the assertions of connections; null if there are none. */
  assertionKey: KeyObject | null;
  now: () => Date;
}

type PresentedBearer = Presented<BearerCredential>;

/** Leaves out credentials that are unknown, wrong, expired or revoked. */
export async function resolveCredentials(
  options: HolderOptions,
  questions: readonly AdmissionRequest[],
): Promise<CredentialLookup> {
  const bearers = (...kinds: readonly BearerCredential['kind'][]) =>
    questions.filter((question): question is PresentedBearer =>
      kinds.some((kind) => question.credential?.kind === kind),
    );
  const visitors = questions.filter(
    (question): question is Presented<SessionCredential> => question.credential?.kind === 'session',
  );
  const found = await Promise.all([
    findPrincipals(options, bearers('api_key', 'assertion')),
    findInternal(options.em, bearers('token')),
    resolveSessions(options.em, visitors),
  ]);
  return new Map(found.flatMap((each) => [...each]));
}

/** One credential under one limit, however many requests of the batch present it. */
type Demand = NonNullable<ReturnType<typeof seek>> & { n: number; limit: 'reads' | 'writes'; wanted: number };

interface FoundPrincipals {
  holders: (Principal & { n: number })[] | null;
  counters: Counter[] | null;
}

/**
 * The CTEs after `holder` see only principals, not credentials. Secrets are compared as hashes of hashes of 256
 * random bits, so timing reveals nothing. The parameter is one JSON document instead of arrays: Postgres keeps one
 * plan for any size.
 */
const findAndCount = fixedText(
  (asked: string) => sql`with asked as (
     select * from json_to_recordset(${asked})
       as a (n int, id uuid, hash text, "limit" text, wanted int)
   ), holder as (
     select a.n, a."limit", a.wanted, 'api_key' as kind, k.workspace_id as "workspaceId", k.principal_id as "principalId",
       m.role, k.scopes, b.integration_enabled as "integrationEnabled", b.writes_enabled as "writesEnabled"
     from asked a
     join api_key k on k.id = a.id and k.secret_hash = a.hash and k.revoked_at is null and k.expires_at > now()
     join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
     join business b on b.id = k.workspace_id
     union all
     select a.n, a."limit", a.wanted, 'connection', c.workspace_id, c.principal_id, m.role, c.scopes, b.integration_enabled,
       b.writes_enabled
     from asked a
     join mcp_connection c on c.id = a.id and a.hash is null
     ${rawSql(LIVE_CONNECTION)}
   ), own_demand as (
     select "limit" || '/' || "principalId" as subject, "workspaceId", sum(wanted)::int as wanted,
       ${rawSql(`case "limit" when 'reads' then ${QUOTAS.reads} else ${QUOTAS.writes} end`)} as quota
     from holder group by "limit", "principalId", "workspaceId"
   ), own_use as (${rawSql(countInto('own_demand'))}
   ), shared_demand as (
     -- Only what the principal's own limit lets through uses up the workspace's.
     select 'workspace/' || "workspaceId" as subject,
       sum(greatest(0, least(d.wanted, d.quota - (u.used - d.wanted))))::int as wanted
     from own_demand d join own_use u using (subject) group by "workspaceId"
   ), shared_use as (${rawSql(countInto('shared_demand'))}
   )
   select ${rawSql<FoundPrincipals>(`(select json_agg(holder) from holder) as holders,
     (select json_agg(c) from (table own_use union all table shared_use) c) as counters`)}`,
);

/** Resolves the integration principals of credentials, live, and counts their requests in the same statement. */
async function findPrincipals(
  options: HolderOptions,
  questions: readonly PresentedBearer[],
): Promise<CredentialLookup> {
  const demands = demandsOf(options, questions);
  if (demands.size === 0) return new Map();
  const [row] = await read(options.em, findAndCount(JSON.stringify([...demands.values()])));
  const holders = new Map(row?.holders?.map(({ n, ...holder }) => [n, holder]));
  const line = new BatchPositions(row?.counters ?? []);
  const found: CredentialLookup = new Map();
  for (const question of questions.toReversed()) {
    const demand = demands.get(keyOf(question));
    const holder = demand && holders.get(demand.n);
    if (!holder) continue;
    const standings = line.placeRequest(question.limit, holder.principalId, holder.workspaceId);
    const scopes = holder.scopes.filter((scope) => demand.scopes?.includes(scope) ?? true);
    found.set(question, { holder: { ...holder, scopes }, standings });
  }
  return found;
}

function demandsOf(options: HolderOptions, questions: readonly PresentedBearer[]): Map<string, Demand> {
  const demands = new Map<string, Demand>();
  for (const question of questions) {
    const key = keyOf(question);
    const known = demands.get(key);
    const sought = known ?? seek(options, question);
    if (known) known.wanted++;
    else if (sought) demands.set(key, { ...sought, n: demands.size, limit: question.limit, wanted: 1 });
  }
  return demands;
}

/**
 * A key by its hash, or the connection of an assertion with the scopes it is limited to. Null for an assertion that
 * is invalid or expired, or that did not come through the public API.
 */
function seek({ assertionKey, now }: HolderOptions, { credential, via }: PresentedBearer) {
  const { kind, id, proof } = credential;
  if (kind === 'api_key') return { id, hash: hashProof(proof), scopes: undefined };
  const asserted = assertionKey && via === 'rest' ? readProof(assertionKey, id, proof, now()) : null;
  return asserted && { id, hash: null, ...asserted };
}

function keyOf({ credential: { kind, id, proof }, limit, via }: PresentedBearer): string {
  return `${limit} ${via} ${kind} ${id} ${proof}`;
}

type InternalRow = Extract<Holder, { kind: 'token' }> & { n: number };

const findTokens = fixedText(
  (asked: string) => sql`
   select ${rawSql<InternalRow>(`a.n, 'token' as kind, b.id as "workspaceId", t.id as "principalId", t.team, t.owner`)}
   from json_to_recordset(${asked}) as a (n int, id uuid, hash text, "workspaceId" uuid)
   join internal_token t on t.id = a.id and t.secret_hash = a.hash and t.revoked_at is null and t.expires_at > now()
   join business b on b.id = a."workspaceId"`,
);

/** Staff and services, in the workspace that each request names; they have no rate limit. */
async function findInternal(em: EntityManager, questions: readonly PresentedBearer[]): Promise<CredentialLookup> {
  if (questions.length === 0) return new Map();
  const asked = questions.map(({ credential: { id, proof }, workspaceId }, n) => {
    return { n, id, hash: hashProof(proof), workspaceId: isId(workspaceId) ? workspaceId : null };
  });
  const rows = await read(em, findTokens(JSON.stringify(asked)));
  return new Map(rows.map(({ n, ...holder }) => [questions[n]!, { holder, standings: [] }]));
}

interface FoundVisitors {
  visitors: (Omit<Visitor, 'kind'> & { n: number; accountId: string })[] | null;
  counters: Counter[] | null;
}

/** A look-up keeps the session alive; a session that another request is updating is skipped. */
const findAndCountPages = fixedText(
  (asked: string) => sql`with asked as (
     select * from json_to_recordset(${asked}) as a (n int, hash text, "workspaceId" uuid, "as" text)
   ), visitor as (
     select a.n, session.id as "sessionId", account.id as "accountId", account.email,
       session.authenticated_at > now() - ${rawSql(`interval '${RECENT_PASSWORD_WINDOW}'`)} as "isRecent",
       json_build_object('person', account.name, 'workspace', business.name) as names,
       case when m.id is not null
         then json_build_object('workspaceId', m.workspace_id, 'membershipId', m.id, 'role', m.role,
           'lacksRequiredFactor', ${rawSql(LACKS_REQUIRED_FACTOR)}) end as membership,
       case when w.id is not null
         then json_build_object('workspaceId', w.workspace_id, 'accessId', w.id, 'workerId', w.worker_id,
           'hasSecondFactor', ${rawSql(HAS_SECOND_FACTOR)}) end as access
     from asked a
     join session on session.proof_hash = a.hash and ${rawSql(LIVE_SESSION)}
     join account on account.id = session.account_id and account.closed_at is null
     left join membership m on m.workspace_id = a."workspaceId" and m.account_id = account.id and m.left_at is null
       and a."as" is null
     left join worker_access w on w.workspace_id = a."workspaceId" and w.account_id = account.id and w.ended_at is null
       and a."as" = 'worker'
     left join business on business.id = coalesce(m.workspace_id, w.workspace_id)
   ), seen as (
     update session set last_seen_at = now() where id in (
       select id from session where id in (select "sessionId" from visitor) and last_seen_at < now() - interval '1 min'
       for update skip locked)
   ), demand as (
     select 'pages/' || "accountId" as subject, count(*)::int as wanted from visitor group by "accountId"
   ), counted as (${rawSql(countInto('demand'))}
   )
   select ${rawSql<FoundVisitors>(`(select json_agg(visitor) from visitor) as visitors,
     (select json_agg(counted) from counted) as counters`)}`,
);

/** Resolves sessions to the account and its membership or worker's access in the named workspace, live like keys. */
async function resolveSessions(
  em: EntityManager,
  questions: readonly Presented<SessionCredential>[],
): Promise<CredentialLookup> {
  // Only the application's own pages accept a browser session.
  const sent = questions.filter(({ via }) => via === 'web');
  if (sent.length === 0) return new Map();
  const asked = sent.map(({ credential, workspaceId, as }, n) => {
    return { n, hash: hashProof(credential.proof), workspaceId: isId(workspaceId) ? workspaceId : null, as };
  });
  const [row] = await read(em, findAndCountPages(JSON.stringify(asked)));
  const line = new BatchPositions(row?.counters ?? []);
  const visitors = row?.visitors ?? [];
  return new Map(
    visitors.map(({ n, accountId, ...visitor }) => {
      return [sent[n]!, { holder: { kind: 'session', ...visitor }, standings: [line.placePage(accountId)] }];
    }),
  );
}
