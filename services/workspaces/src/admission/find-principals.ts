import type { EntityManager } from '@mikro-orm/postgresql';
import { hashProof, type AdmissionQuestion } from '@payroll/admission';
import { prepared } from '@payroll/store';
import type { Holder } from '../domain/admission.js';
import { Line, QUOTAS, type Counter } from '../domain/standing.js';
import type { Found, Presented } from './find-holders.js';
import { countInto } from './rate-counter.js';

type Principal = Extract<Holder, { kind: 'api_key' }>;

/** One credential under one limit, however many requests of a batch present it. */
interface Demand {
  n: number;
  id: string;
  hash: string;
  limit: 'reads' | 'writes';
  wanted: number;
}

interface Row {
  holders: (Principal & { n: number })[] | null;
  counters: Counter[] | null;
}

/**
 * `holder` is where another kind of credential would join: whatever comes after it knows principals only. Secrets are
 * compared as hashes of hashes of 256 random bits: what the time of a comparison tells about those helps nobody. The
 * parameter is one document, not arrays, because its estimated size is the same for any: Postgres keeps one plan.
 */
const findAndCount = prepared<Row>(
  'find-principals',
  `with asked as (
     select * from json_to_recordset($1) as a (n int, id uuid, hash text, "limit" text, wanted int)
   ), holder as (
     select a.n, a."limit", a.wanted, 'api_key' as kind, k.workspace_id as "workspaceId", k.principal_id as "principalId",
       m.role, k.scopes, b.integration_enabled as "integrationEnabled", b.writes_enabled as "writesEnabled"
     from asked a
     join api_key k on k.id = a.id and k.secret_hash = a.hash and k.revoked_at is null and k.expires_at > now()
     join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
     join business b on b.id = k.workspace_id
   ), own_demand as (
     select "limit" || '/' || "principalId" as subject, "workspaceId", sum(wanted)::int as wanted,
       case "limit" when 'reads' then ${QUOTAS.reads} else ${QUOTAS.writes} end as quota
     from holder group by "limit", "principalId", "workspaceId"
   ), own_use as (${countInto('own_demand')}
   ), shared_demand as (
     -- Only what the principal's own limit lets through uses up the workspace's.
     select 'workspace/' || "workspaceId" as subject,
       sum(greatest(0, least(d.wanted, d.quota - (u.used - d.wanted))))::int as wanted
     from own_demand d join own_use u using (subject) group by "workspaceId"
   ), shared_use as (${countInto('shared_demand')}
   )
   select (select json_agg(holder) from holder) as holders,
     (select json_agg(c) from (table own_use union all table shared_use) c) as counters`,
);

/** Finds the integration principals behind credentials, as they are now, and counts their requests: one statement. */
export async function findPrincipals(
  em: EntityManager,
  questions: readonly Presented[],
): Promise<Map<AdmissionQuestion, Found>> {
  if (questions.length === 0) return new Map();
  const demands = demandsOf(questions);
  const [row] = await findAndCount(em, JSON.stringify([...demands.values()]));
  const holders = new Map(row?.holders?.map(({ n, ...holder }) => [n, holder]));
  const line = new Line(row?.counters ?? []);
  const found = new Map<AdmissionQuestion, Found>();
  for (const question of questions.toReversed()) {
    const holder = holders.get(demands.get(keyOf(question))!.n);
    if (!holder) continue;
    const standings = line.placeRequest(question.limit, holder.principalId, holder.workspaceId);
    found.set(question, { holder, standings });
  }
  return found;
}

function demandsOf(questions: readonly Presented[]): Map<string, Demand> {
  const demands = new Map<string, Demand>();
  for (const question of questions) {
    const { credential, limit } = question;
    const key = keyOf(question);
    const known = demands.get(key);
    if (known) known.wanted++;
    else demands.set(key, { n: demands.size, id: credential.id, hash: hashProof(credential.proof), limit, wanted: 1 });
  }
  return demands;
}

function keyOf({ credential: { id, proof }, limit }: Presented): string {
  return `${limit} ${id} ${proof}`;
}
