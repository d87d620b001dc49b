import { computed, columns, columnsExcept, defineView, sql, type TableRow } from '@payroll/store';
import { InvitationTable } from './account-tables.js';
import { McpClientTable, McpConnectionTable } from './oauth-tables.js';
import { ApiKeyTable, MembershipTable, type BusinessTable } from './tables.js';

export type Business = Omit<TableRow<typeof BusinessTable>, 'revision'>;
export type IntegrationSwitches = Pick<Business, 'integrationEnabled' | 'writesEnabled'>;

export function toBusiness({ revision: _revision, ...business }: TableRow<typeof BusinessTable>): Business {
  return business;
}

export type Member = ReturnType<typeof toMember>;

export function toMember(row: Omit<TableRow<typeof MembershipTable>, 'workspaceId'>) {
  const { id, name, email, role, accountId, createdAt, leftAt } = row;
  return { id, name, email, role, hasAccount: accountId !== null, createdAt, leftAt };
}

export const members = defineView({
  list: 'members',
  table: MembershipTable,
  columns: columnsExcept(MembershipTable, 'workspaceId'),
  toNode: toMember,
});

/** For lists of tables without `updated_at`. */
const UPDATED_AT = computed('updatedAt', 'timestamptz', sql`created_at`);

export type ApiKey = ReturnType<typeof toApiKey>;

export function toApiKey(
  row: Omit<TableRow<typeof ApiKeyTable>, 'workspaceId' | 'secretHash'> & { memberName: string },
) {
  const { id, name, principalId, membershipId: memberId, memberName, scopes } = row;
  const { expiresAt, revokedAt, lastUsedAt, createdAt } = row;
  return { id, name, principalId, memberId, memberName, scopes, expiresAt, revokedAt, lastUsedAt, createdAt };
}

const memberName = sql`
  select name from membership m where m.workspace_id = api_key.workspace_id and m.id = api_key.membership_id`;

export const apiKeys = defineView({
  list: 'api keys',
  table: ApiKeyTable,
  columns: sql`${columnsExcept(ApiKeyTable, 'workspaceId', 'secretHash')}, ${computed('memberName', 'text', memberName)}, ${UPDATED_AT}`,
  toNode: toApiKey,
});

export type Invitation = ReturnType<typeof toInvitation>;

export function toInvitation(
  row: Omit<TableRow<typeof InvitationTable>, 'workspaceId' | 'membershipId' | 'workerId' | 'invitedBy' | 'secretHash'>,
) {
  const { id, name, email, role, expiresAt, acceptedAt, revokedAt, createdAt } = row;
  return { id, name, email, role, expiresAt, acceptedAt, revokedAt, createdAt };
}

export const invitations = defineView({
  list: 'invitations',
  table: InvitationTable,
  columns: sql`${columnsExcept(InvitationTable, 'workspaceId', 'membershipId', 'workerId', 'invitedBy', 'secretHash')}, ${UPDATED_AT}`,
  toNode: toInvitation,
});

export type McpClient = ReturnType<typeof toMcpClient>;

export const clientColumns = columns(McpClientTable, 'id', 'name', 'hosts', 'status', 'changedAt');

export function toMcpClient({ id, name, hosts, status, changedAt }: (typeof clientColumns)['row']) {
  return { id, name, hosts, status, changedAt };
}

export type McpConnection = ReturnType<typeof toMcpConnection>;

export function toMcpConnection(
  row: Omit<TableRow<typeof McpConnectionTable>, 'workspaceId' | 'subject'> &
    Record<'clientName' | 'memberName', string>,
) {
  const { id, clientId, clientName, membershipId: memberId, memberName, principalId, scopes } = row;
  const { createdAt, lastUsedAt, revokedAt } = row;
  return { id, clientId, clientName, memberId, memberName, principalId, scopes, createdAt, lastUsedAt, revokedAt };
}

const clientName = sql`
  select name from mcp_client k where k.workspace_id = mcp_connection.workspace_id and k.id = mcp_connection.client_id`;
const connectedBy = sql`
  select name from membership m
  where m.workspace_id = mcp_connection.workspace_id and m.id = mcp_connection.membership_id`;

export const connections = defineView({
  list: 'connections',
  table: McpConnectionTable,
  columns: sql`${columnsExcept(McpConnectionTable, 'workspaceId', 'subject')}, ${computed('clientName', 'text', clientName)},
    ${computed('memberName', 'text', connectedBy)}, ${UPDATED_AT}`,
  toNode: toMcpConnection,
});
