import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '@payroll/kernel';
import { fixedText, read, sql, rawSql } from '@payroll/store';
import { countInto } from '../admission/rate-counters.js';
import { type Counter, BatchPositions, type CounterPosition } from '../domain/counter-position.js';
import type { TokenFacts } from './token-issuer.js';

/** Joins that a connection `c` needs to be live: client, membership, and the grant of the embedded server. */
export const LIVE_CONNECTION = `
     join mcp_client k on k.workspace_id = c.workspace_id and k.id = c.client_id and k.status = 'enabled'
     join membership m on m.workspace_id = c.workspace_id and m.id = c.membership_id and m.left_at is null
     join business b on b.id = c.workspace_id
     where c.revoked_at is null and (c.grant_id is null or exists (
       select from oauth_artifact t where t.kind = 'Grant' and t.grant_id = c.grant_id and t.expires_at > now()))`;

export interface FoundConnection {
  connectionId: string;
  principalId: string;
  workspaceName: string;
  role: Role;
  scopes: readonly string[];
  integrationEnabled: boolean;
  /** The position of this message among the connection's messages of the last minute. */
  standing: CounterPosition;
}

interface FoundConnections {
  connections: (Omit<FoundConnection, 'standing'> & { n: number })[] | null;
  counters: Counter[] | null;
}

const findAndCount = fixedText(
  (asked: string) => sql`with asked as (
     select * from json_to_recordset(${asked})
       as a (n int, "workspaceId" uuid, "clientId" text, subject text, "grantId" uuid)
   ), live as (
     select a.n, c.id, c.principal_id, c.scopes, b.name, b.integration_enabled, m.role
     from asked a
     join mcp_connection c on c.workspace_id = a."workspaceId" and c.client_id = a."clientId" and c.subject = a.subject
       and (c.grant_id = a."grantId" or (c.grant_id is null and a."grantId" is null))
     ${rawSql(LIVE_CONNECTION)}
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
   ), counted as (${rawSql(countInto('demand'))}
   )
   select ${rawSql<FoundConnections>(`(select json_agg(found) from found) as connections,
     (select json_agg(counted) from counted) as counters`)}`,
);

/** Finds the live connections of tokens. Records their use, to the minute, and counts their messages. */
export async function findConnections(
  em: EntityManager,
  tokens: readonly TokenFacts[],
): Promise<Map<TokenFacts, FoundConnection>> {
  if (tokens.length === 0) return new Map();
  const asked = tokens.map(({ workspaceId, clientId, subject, grantId }, n) => {
    return { n, workspaceId, clientId, subject, grantId };
  });
  const [row] = await read(em, findAndCount(JSON.stringify(asked)));
  const line = new BatchPositions(row?.counters ?? []);
  // The counters include the whole batch, so positions are assigned from the last message backwards.
  const found = (row?.connections ?? []).toSorted((one, other) => other.n - one.n);
  return new Map(
    found.map(({ n, ...each }) => [tokens[n]!, { ...each, standing: line.placeMessage(each.principalId) }]),
  );
}
