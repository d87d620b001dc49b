import { graphql, type ResultOf, type RowOf } from '../../operations.js';

const CONNECTION = 'id clientName memberId memberName createdAt lastUsedAt revokedAt';

/** The services decide which of them the reader may see. */
export const readConnections = graphql(`
  query connections($includeRevoked: Boolean!, $cursor: String) {
    mcpConnections(includeRevoked: $includeRevoked, cursor: $cursor) { nodes { ${CONNECTION} } nextCursor }
  }`);

export type McpConnection = RowOf<typeof readConnections, 'mcpConnections'>;

export const readClients = graphql('query clients { mcpClients { id name hosts status } }');

export type McpClient = ResultOf<typeof readClients>['mcpClients'][number];

export const revokeConnection = graphql(
  'mutation revokeConnection($id: ID!) { revokeMcpConnection(id: $id) { clientName } }',
);

export const renewConnection = graphql('mutation renewConnection($id: ID!) { renewMcpConnection(id: $id) { id } }');

export const enableClient = graphql(
  'mutation enableClient($input: McpClientInput!) { enableMcpClient(input: $input) { id } }',
);

export const disableClient = graphql('mutation disableClient($id: ID!) { disableMcpClient(id: $id) { name } }');
