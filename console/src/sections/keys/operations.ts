import { graphql, type FieldOf, type RowOf } from '../../operations.js';

const KEY = 'id name memberId lastUsedAt';

export const readKeys = graphql(`
  query keys($cursor: String) {
    apiKeys(cursor: $cursor) { nodes { ${KEY} memberName scopes expiresAt revokedAt } nextCursor }
  }`);

export type ApiKey = RowOf<typeof readKeys, 'apiKeys'>;

export const readKey = graphql(`query key($id: ID!) { apiKey(id: $id) { ${KEY} } }`);

/** The secret is null where the form was sent before: only the first answer shows it. */
export type MadeKey = FieldOf<typeof createKey, 'createApiKey'>;

const ONCE = '$operationId: ID';
const SENT = 'operationId: $operationId';

export const createKey = graphql(
  `mutation createKey($input: ApiKeyInput!, ${ONCE}) { createApiKey(input: $input, ${SENT}) { secret } }`,
);

export const rotateKey = graphql(`
  mutation rotateKey($id: ID!, $expiresAt: Timestamp!, ${ONCE}) {
    rotateApiKey(id: $id, expiresAt: $expiresAt, ${SENT}) { secret }
  }`);

export const revokeKey = graphql('mutation revokeKey($id: ID!) { revokeApiKey(id: $id) { id } }');
