import type { EntityManager } from '@mikro-orm/postgresql';
import { hashProof, type SessionCredential } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { fixedText, read, sql, verbatim } from '@payroll/store';
import { LIVE_SESSION, RECENT } from '../accounts/sessions.js';
import { HAS_SECOND_FACTOR, LACKS_REQUIRED_FACTOR } from '../accounts/second-factor.js';
import type { Visitor } from '../domain/admission.js';
import { Line, type Counter } from '../domain/standing.js';
import type { FoundOf, Presented } from './found.js';
import { countInto } from './rate-counters.js';

interface FoundVisitors {
  visitors: (Omit<Visitor, 'kind'> & { n: number; accountId: string })[] | null;
  counters: Counter[] | null;
}

/** A look-up keeps the session alive; a session that another request is updating is skipped. */
const findAndCount = fixedText(
  (asked: string) => sql`with asked as (
     select * from json_to_recordset(${asked}) as a (n int, hash text, "workspaceId" uuid, "as" text)
   ), visitor as (
     select a.n, session.id as "sessionId", account.id as "accountId", account.email,
       session.authenticated_at > now() - ${verbatim(`interval '${RECENT}'`)} as "isRecent",
       json_build_object('person', account.name, 'workspace', business.name) as names,
       case when m.id is not null
         then json_build_object('workspaceId', m.workspace_id, 'membershipId', m.id, 'role', m.role,
           'lacksRequiredFactor', ${verbatim(LACKS_REQUIRED_FACTOR)}) end as membership,
       case when w.id is not null
         then json_build_object('workspaceId', w.workspace_id, 'accessId', w.id, 'workerId', w.worker_id,
           'hasSecondFactor', ${verbatim(HAS_SECOND_FACTOR)}) end as access
     from asked a
     join session on session.proof_hash = a.hash and ${verbatim(LIVE_SESSION)}
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
   ), counted as (${verbatim(countInto('demand'))}
   )
   select ${verbatim<FoundVisitors>(`(select json_agg(visitor) from visitor) as visitors,
     (select json_agg(counted) from counted) as counters`)}`,
);

/** Resolves sessions to the account and its membership or worker's access in the named workspace, live like keys. */
export async function findVisitors(
  em: EntityManager,
  questions: readonly Presented<SessionCredential>[],
): Promise<FoundOf> {
  // Only the application's own pages accept a browser session.
  const sent = questions.filter(({ via }) => via === 'web');
  if (sent.length === 0) return new Map();
  const asked = sent.map(({ credential, workspaceId, as }, n) => {
    return { n, hash: hashProof(credential.proof), workspaceId: isId(workspaceId) ? workspaceId : null, as };
  });
  const [row] = await read(em, findAndCount(JSON.stringify(asked)));
  const line = new Line(row?.counters ?? []);
  const visitors = row?.visitors ?? [];
  return new Map(
    visitors.map(({ n, accountId, ...visitor }) => {
      return [sent[n]!, { holder: { kind: 'session', ...visitor }, standings: [line.placePage(accountId)] }];
    }),
  );
}
