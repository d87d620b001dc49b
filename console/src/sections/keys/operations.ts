import type { Scope } from '@payroll/kernel';
import { Operation } from '../../operations.js';

export interface ApiKey {
  id: string;
  name: string;
  memberId: string;
  memberName: string;
  scopes: string[];
  expiresAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

interface ApiKeys {
  apiKeys: { nodes: ApiKey[]; nextCursor: string | null };
}

export const readKeys = new Operation<ApiKeys, { cursor: string | null }>(`
  query keys($cursor: String) {
    apiKeys(cursor: $cursor) {
      nodes { id name memberId memberName scopes expiresAt revokedAt lastUsedAt }
      nextCursor
    }
  }`);

type KeyNamed = Pick<ApiKey, 'id' | 'name' | 'memberId' | 'lastUsedAt'>;

export const readKey = new Operation<{ apiKey: KeyNamed }, { id: string }>(
  'query key($id: ID!) { apiKey(id: $id) { id name memberId lastUsedAt } }',
);

/** The secret is null where the form was sent before: only the first answer shows it. */
export interface MadeKey {
  secret: string | null;
}

type NewKey = {
  input: { memberId: string; name: string; scopes: Scope[]; expiresAt: string };
  operationId: string;
};

export const createKey = new Operation<{ createApiKey: MadeKey }, NewKey>(`
  mutation createKey($input: ApiKeyInput!, $operationId: ID) {
    createApiKey(input: $input, operationId: $operationId) { secret }
  }`);

type Rotation = { id: string; expiresAt: string; operationId: string };

export const rotateKey = new Operation<{ rotateApiKey: MadeKey }, Rotation>(`
  mutation rotateKey($id: ID!, $expiresAt: Timestamp!, $operationId: ID) {
    rotateApiKey(id: $id, expiresAt: $expiresAt, operationId: $operationId) { secret }
  }`);

export const revokeKey = new Operation<unknown, { id: string }>(
  'mutation revokeKey($id: ID!) { revokeApiKey(id: $id) { id } }',
);
