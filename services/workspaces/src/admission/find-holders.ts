import type { EntityManager } from '@mikro-orm/postgresql';
import { hashProof, type AdmissionQuestion, type RateLimit } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { sql } from 'kysely';
import { QUOTAS, type Holder, type Standing } from '../domain/admission.js';

export interface Found {
  holder: Holder;
  standings: Standing<RateLimit['name']>[];
}

interface Row {
  n: number;
  holder: Holder;
  limitName: 'reads' | 'writes';
  principalUsed: number | null;
  principalReset: number | null;
  workspaceUsed: number | null;
  workspaceReset: number | null;
  principalWanted: number;
  workspaceWanted: number | null;
}

/**
 * Finds who holds the credentials of a batch and counts the requests, in one statement. Counters are updated in the
 * order of their keys, principals before workspaces, so that batches cannot deadlock. Secrets are compared as hashes of
 * hashes of 256 random bits: what the time of a comparison could tell about those helps nobody.
 */
export async function findHolders(
  em: EntityManager,
  questions: readonly AdmissionQuestion[],
): Promise<(Found | null)[]> {
  const asked = questions.flatMap((question, n) =>
    question.credential ? [{ ...question, ...question.credential, n }] : [],
  );
  if (asked.length === 0) return questions.map(() => null);
  const { rows } = await sql<Row>`
    with asked as (
      select * from unnest(
        ${asked.map(({ n }) => n)}::int[], ${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ id }) => id)}::uuid[],
        ${asked.map(({ proof }) => hashProof(proof))}::text[], ${asked.map(({ limit }) => limit)}::text[],
        ${asked.map(({ workspaceId }) => (isId(workspaceId) ? workspaceId : null))}::uuid[]
      ) as a (n, kind, id, hash, limit_name, workspace_id)
    ), known as (
      select a.n, a.limit_name, k.workspace_id, k.principal_id, jsonb_build_object(
          'kind', 'api_key', 'workspaceId', k.workspace_id, 'principalId', k.principal_id, 'role', m.role,
          'scopes', k.scopes, 'integrationEnabled', b.integration_enabled, 'writesEnabled', b.writes_enabled) as holder
      from asked a
      join api_key k on k.id = a.id and k.secret_hash = a.hash and k.revoked_at is null and k.expires_at > now()
      join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
      join business b on b.id = k.workspace_id
      where a.kind = 'api_key'
    ), internal as (
      select a.n, a.limit_name, jsonb_build_object(
          'kind', 'token', 'workspaceId', b.id, 'principalId', t.id, 'team', t.team) as holder
      from asked a
      join internal_token t on t.id = a.id and t.secret_hash = a.hash and t.revoked_at is null and t.expires_at > now()
      join business b on b.id = a.workspace_id
      where a.kind = 'token'
    ), principal_demand as (
      select limit_name || '/' || principal_id as subject, workspace_id, count(*)::int as wanted,
        case limit_name when 'reads' then ${QUOTAS.reads}::int else ${QUOTAS.writes}::int end as quota
      from known group by 1, 2, 4
    ), principal_use as (
      insert into rate_counter as c (subject, window_started_at, used)
      select subject, now(), wanted from principal_demand order by subject
      on conflict (subject) do update set
        used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
        window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
      returning subject, used, window_started_at
    ), workspace_demand as (
      -- Only what the principal's own limit lets through uses up the workspace's.
      select 'workspace/' || d.workspace_id as subject,
        sum(greatest(0, least(d.wanted, d.quota - (u.used - d.wanted))))::int as wanted
      from principal_demand d join principal_use u using (subject) group by 1
    ), workspace_use as (
      insert into rate_counter as c (subject, window_started_at, used)
      select subject, now(), wanted from workspace_demand order by subject
      on conflict (subject) do update set
        used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + excluded.used,
        window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
      returning subject, used, window_started_at
    )
    select known.n, known.holder, known.limit_name as "limitName",
      p.used as "principalUsed", ceil(extract(epoch from p.window_started_at + interval '60 s' - now()))::int as "principalReset",
      w.used as "workspaceUsed", ceil(extract(epoch from w.window_started_at + interval '60 s' - now()))::int as "workspaceReset",
      pd.wanted as "principalWanted", wd.wanted as "workspaceWanted"
    from known
    join principal_demand pd on pd.subject = known.limit_name || '/' || known.principal_id
    join principal_use p using (subject)
    join workspace_demand wd on wd.subject = 'workspace/' || known.workspace_id
    join workspace_use w on w.subject = wd.subject
    union all
    select n, holder, limit_name, null, null, null, null, 0, null from internal
    order by 1`.execute(em.getKysely());
  return standInLine(questions.length, rows);
}

/** Counters tell how many were used after the batch; each request of it gets its own place in the line. */
function standInLine(count: number, rows: readonly Row[]): (Found | null)[] {
  const found: (Found | null)[] = Array.from({ length: count }, () => null);
  const served = new Map<string, number>();
  const place = (subject: string, usedBefore: number): number => {
    const position = (served.get(subject) ?? usedBefore) + 1;
    served.set(subject, position);
    return position;
  };
  for (const row of rows) {
    const standings: Standing<RateLimit['name']>[] = [];
    if (row.principalUsed !== null) {
      const principal = `${row.limitName}/${row.holder.principalId}`;
      const position = place(principal, row.principalUsed - row.principalWanted);
      standings.push({ name: row.limitName, position, resetSeconds: Math.max(1, row.principalReset ?? 60) });
      if (position <= QUOTAS[row.limitName]) {
        const usedBefore = (row.workspaceUsed ?? 0) - (row.workspaceWanted ?? 0);
        standings.push({
          name: 'workspace',
          position: place(`workspace/${row.holder.workspaceId}`, usedBefore),
          resetSeconds: Math.max(1, row.workspaceReset ?? 60),
        });
      }
    }
    found[row.n] = { holder: row.holder, standings };
  }
  return found;
}
