import { graphql, type FieldOf, type RowOf } from '../../operations.js';

export const readKeys = graphql(`
  query keys($cursor: String) {
    apiKeys(cursor: $cursor) {
      nodes {
        id
        name
        memberId
        memberName
        scopes
        expiresAt
        revokedAt
        lastUsedAt
      }
      nextCursor
    }
  }
`);

export type ApiKey = RowOf<typeof readKeys, 'apiKeys'>;

export const readKey = graphql('query key($id: ID!) { apiKey(id: $id) { id name memberId lastUsedAt } }');

/** The secret is null where the form was sent before: only the first answer shows it. */
export type MadeKey = FieldOf<typeof createKey, 'createApiKey'>;

export const createKey = graphql(`
  mutation createKey($input: ApiKeyInput!, $operationId: ID) {
    createApiKey(input: $input, operationId: $operationId) {
      secret
    }
  }
`);

export const rotateKey = graphql(`
  mutation rotateKey($id: ID!, $expiresAt: Timestamp!, $operationId: ID) {
    rotateApiKey(id: $id, expiresAt: $expiresAt, operationId: $operationId) {
      secret
    }
  }
`);

export const revokeKey = graphql('mutation revokeKey($id: ID!) { revokeApiKey(id: $id) { id } }');
