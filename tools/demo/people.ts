import { ROLE_SCOPES, SCOPES, type Role, type Scope } from '@payroll/kernel';
import { ask, type GraphqlAccess } from './graphql-client.js';

export interface Key {
  id: string;
  secret: string;
  principalId: string;
}

const KEY = 'secret apiKey { id principalId }';
interface CreatedKey {
  secret: string;
  apiKey: Omit<Key, 'secret'>;
}
const inAYear = (): string => new Date(Date.now() + 365 * 86_400_000).toISOString();
const flat = ({ secret, apiKey }: CreatedKey): Key => ({ secret, ...apiKey });

let people = 0;

/** Adds a member to the workspace. @returns their id */
export async function newMember(
  access: GraphqlAccess,
  role: Role,
  email = `person-${people++}@people.example`,
  name = 'Pat Person',
): Promise<string> {
  const query = `mutation ($name: String!, $email: String!, $role: Role!) {
    addMember(name: $name, email: $email, role: $role) { id } }`;
  return (await ask<{ id: string }>(access, query, { name, email, role })).id;
}

export async function newKey(
  access: GraphqlAccess,
  memberId: string,
  { name = 'Of a test', scopes = SCOPES }: { name?: string; scopes?: readonly Scope[] } = {},
): Promise<Key> {
  const query = `mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { ${KEY} } }`;
  return flat(await ask<CreatedKey>(access, query, { input: { memberId, name, scopes, expiresAt: inAYear() } }));
}

/** A key of a new member: a principal that is used for nothing else. */
export async function newPrincipal(access: GraphqlAccess, role: Role = 'admin'): Promise<Key & { memberId: string }> {
  const memberId = await newMember(access, role);
  return { memberId, ...(await newKey(access, memberId, { scopes: ROLE_SCOPES[role] })) };
}

export async function rotated(access: GraphqlAccess, key: Key): Promise<Key> {
  const query = `mutation ($id: ID!, $until: Timestamp!) { rotateApiKey(id: $id, expiresAt: $until) { ${KEY} } }`;
  return flat(await ask<CreatedKey>(access, query, { id: key.id, until: inAYear() }));
}
