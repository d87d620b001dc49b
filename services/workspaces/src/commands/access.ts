import { memberOf, notFound, passwordNotRecent, type Actor, newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { sql, type Sql, type TableRow, rawSql } from '@payroll/store';
import { RECENT_PASSWORD_WINDOW } from '../accounts/sessions.js';
import { McpClientTable, McpConnectionTable } from '../store/oauth-tables.js';
import { ApiKeyTable } from '../store/tables.js';
import { invitationOver, requireOneStanding } from '../domain/member.js';
import { WorkerAccessTable } from '../store/account-tables.js';

/**
 * Giving access requires a password entered recently in this browser, by the database's clock: another person may use
 * a browser that was left signed in. Internal teams have no password here. The access outlasts the session, so the
 * session stays locked until the access is committed: signing out everywhere then finds and revokes it, or has
 * deleted the session before.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export async function requireRecentPassword(tx: CommandTransaction): Promise<void> {
  const member = memberOf(tx.origin.actor);
  if (member === null) return;
  const recent = await tx.read(sql`
    select from session s
    join membership m on m.account_id = s.account_id
    where s.id = ${member.sessionId} and s.authenticated_at > clock_timestamp() - ${RECENT_PASSWORD_WINDOW}::interval
      and m.workspace_id = ${member.workspaceId} and m.id = ${member.principalId}
    for key share of s`);
  if (recent.length === 0) throw passwordNotRecent();
}

/** Admins can revoke every connection, members their own. To other members a connection does not exist. */
export function requireConnectionManager(actor: Actor, membershipId: string): void {
  const member = memberOf(actor);
  if (member !== null && member.role !== 'admin' && member.principalId !== membershipId) {
    throw notFound('The connection');
  }
}

type Key = TableRow<typeof ApiKeyTable>;
type Connection = TableRow<typeof McpConnectionTable>;

export function endKey(tx: CommandTransaction, key: Key): Key {
  tx.audit('api-key.revoked', key.id, { name: key.name, revokedAt: { from: null, to: tx.now } });
  return tx.update(ApiKeyTable, key, { revokedAt: tx.now });
}

/**
 * Also deletes every code and refresh token of the connection's grant; its access tokens no longer find a connection.
 */
export async function endConnection(tx: CommandTransaction, connection: Connection): Promise<Connection> {
  const client = await tx.find(McpClientTable, { id: connection.clientId });
  tx.audit('mcp-connection.revoked', connection.id, { name: client!.name, revokedAt: { from: null, to: tx.now } });
  if (connection.grantId !== null) tx.write(sql`delete from oauth_artifact where grant_id = ${connection.grantId}`);
  return tx.update(McpConnectionTable, connection, { revokedAt: tx.now });
}

/** Permanently revokes the keys and connections that act for a membership. */
export async function revokeAccess(tx: CommandTransaction, membershipId: string): Promise<void> {
  const live = { membershipId, revokedAt: null };
  for (const key of await tx.all(ApiKeyTable, live)) endKey(tx, key);
  for (const connection of await tx.all(McpConnectionTable, live)) await endConnection(tx, connection);
}

/** Gives the account the worker's access. @throws DomainError where the worker or the account has one already */
export async function joinAsWorker(tx: CommandTransaction, workerId: string, accountId: string): Promise<void> {
  if ((await tx.find(WorkerAccessTable, { workerId, endedAt: null })) !== null) throw invitationOver();
  await requireNoStanding(tx, accountId, 'member');
  requireOneStanding((await tx.find(WorkerAccessTable, { accountId, endedAt: null })) !== null, 'worker');
  const id = newId();
  tx.insert(WorkerAccessTable, { id, workerId, accountId, joinedAt: tx.now, endedAt: null });
  tx.audit('worker-access.joined', workerId, { account: accountId, access: id });
}

type Standing = 'member' | 'worker';

/**
 * A person is an email address (ADR 18), which any number of accounts may have.
 * @throws DomainError `INVALID_STATE` if the account, or another one with its address, is one here
 */
export async function requireNoStanding(tx: CommandTransaction, accountId: string, standing: Standing): Promise<void> {
  const standings = await standingsOf(tx, sql`(select email from account where id = ${accountId})`);
  requireOneStanding(standings.includes(standing), standing);
}

/** Whether accounts with this address are members or workers here: one entry for each. */
export async function standingsOf(tx: CommandTransaction, email: Sql): Promise<Standing[]> {
  const { workspaceId } = tx;
  const found = await tx.read(sql`
    select ${rawSql<{ standing: Standing }>('standing')} from (
      select 'member' as standing, account_id from membership where workspace_id = ${workspaceId} and left_at is null
      union all
      select 'worker', account_id from worker_access where workspace_id = ${workspaceId} and ended_at is null
    ) place
    join account on account.id = place.account_id
    where account.email = ${email}`);
  return found.map(({ standing }) => standing);
}
