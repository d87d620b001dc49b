import type { InferEntity } from '@mikro-orm/core';
import type { McpClient, McpConnection } from '../domain/connection.js';
import type { McpClientTable, McpConnectionTable } from './oauth-tables.js';

export function toMcpClient({ id, name, hosts, status, changedAt }: InferEntity<typeof McpClientTable>): McpClient {
  return { id, name, hosts, status, changedAt };
}

export function toMcpConnection(
  row: InferEntity<typeof McpConnectionTable>,
  names: Pick<McpConnection, 'clientName' | 'memberName'>,
): McpConnection {
  const { id, clientId, membershipId, principalId, scopes, createdAt, lastUsedAt, revokedAt } = row;
  return { id, clientId, memberId: membershipId, ...names, principalId, scopes, createdAt, lastUsedAt, revokedAt };
}
