import { Operation } from '../../operations.js';

export interface McpConnection {
  id: string;
  clientName: string;
  memberId: string;
  memberName: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface McpClient {
  id: string;
  name: string;
  hosts: string[];
  status: 'asked' | 'enabled' | 'disabled';
}

interface Connections {
  mcpConnections: { nodes: McpConnection[]; nextCursor: string | null };
}

/** The services decide which of them the reader may see. */
export const readConnections = new Operation<Connections, { includeRevoked: boolean; cursor: string | null }>(`
  query connections($includeRevoked: Boolean!, $cursor: String) {
    mcpConnections(includeRevoked: $includeRevoked, cursor: $cursor) {
      nodes { id clientName memberId memberName createdAt lastUsedAt revokedAt }
      nextCursor
    }
  }`);

export const readClients = new Operation<{ mcpClients: McpClient[] }, Record<string, never>>(
  'query clients { mcpClients { id name hosts status } }',
);

export const revokeConnection = new Operation<{ revokeMcpConnection: { clientName: string } }, { id: string }>(
  'mutation revokeConnection($id: ID!) { revokeMcpConnection(id: $id) { clientName } }',
);

export const renewConnection = new Operation<unknown, { id: string }>(
  'mutation renewConnection($id: ID!) { renewMcpConnection(id: $id) { id } }',
);

export const enableClient = new Operation<unknown, { input: { id: string; name: string } }>(
  'mutation enableClient($input: McpClientInput!) { enableMcpClient(input: $input) { id } }',
);

export const disableClient = new Operation<{ disableMcpClient: { name: string } }, { id: string }>(
  'mutation disableClient($id: ID!) { disableMcpClient(id: $id) { name } }',
);
