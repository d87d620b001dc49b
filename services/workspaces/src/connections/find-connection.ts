import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '@payroll/kernel';
import { prepared } from '@payroll/store';
import { countInto } from '../admission/rate-counter.js';
import { Line, type Counter, type Standing } from '../domain/standing.js';
import { LIVE_CONNECTION } from './live-connection.js';
import type { TokenFacts } from './token-issuer.js';

export interface FoundConnection {
  connectionId: string;
  principalId: string;
  workspaceName: string;
  role: Role;
  scopes: readonly string[];
  integrationEnabled: boolean;
  /** Of this message among all that the connection has sent in the last minute. */
  standing: Standing;
}

interface Row {
  connections: (Omit<FoundConnection, 'standing'> & { n: number })[] | null;
  counters: Counter[] | null;
}

const findAndCount = prepared<Row>(
  'find-connections',
  `with asked as (
     select * from json_to_recordset($1)
       as a (n int, "workspaceId" uuid, "clientId" text, subject text, "grantId" uuid)
   ), live as (
     select a.n, c.id, c.principal_id, c.scopes, b.name, b.integration_enabled, m.role
     from asked a
     join mcp_connection c on c.workspace_id = a."workspaceId" and c.client_id = a."clientId" and c.subject = a.subject
     ${LIVE_CONNECTION}
   ), used as (
     -- In the order of the ids, so that batches cannot wait for each other; what a command holds is left out.
     select id from mcp_connection
     where id in (select id from live) and (last_used_at is null or last_used_at < now() - interval '1 min')
     order by id for update skip locked
   ), noted as (
     update mcp_connection set last_used_at = now() from used where mcp_connection.id = used.id
   ), found as (
     select n, id as "connectionId", principal_id as "principalId", name as "workspaceName", role, scopes,
       integration_enabled as "integrationEnabled"
     from live
   ), demand as (
     select 'messages/' || principal_id as subject, count(*)::int as wanted from live group by principal_id
   ), counted as (${countInto('demand')}
   )
   select (select json_agg(found) from found) as connections, (select json_agg(counted) from counted) as counters`,
);

/**
 * The connections that tokens are for, while they, their clients, memberships and grants live. Notes their use, to the
 * minute, and counts their messages.
 */
export async function findConnections(
  em: EntityManager,
  tokens: readonly TokenFacts[],
): Promise<Map<TokenFacts, FoundConnection>> {
  if (tokens.length === 0) return new Map();
  const asked = tokens.map(({ workspaceId, clientId, subject, grantId }, n) => {
    return { n, workspaceId, clientId, subject, grantId };
  });
  const [row] = await findAndCount(em, JSON.stringify(asked));
  const line = new Line(row?.counters ?? []);
  // The counters are at the batch's last message.
  const found = (row?.connections ?? []).toSorted((one, other) => other.n - one.n);
  return new Map(
    found.map(({ n, ...each }) => [tokens[n]!, { ...each, standing: line.placeMessage(each.principalId) }]),
  );
}
