import { randomUUID } from 'node:crypto';
import { accessTo, ask, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { PublicApi, type Schemas, type V1Client } from '../support/client/client.js';
import { fetchDocument } from '../support/document.js';
import { baseUrl, stack } from './under-test.js';

/** `/v1` of the system under test. */
export const api = new PublicApi(baseUrl, await fetchDocument(stack.rest.url));

/** Directly, without a proxy, which could not pass on malformed HTTP messages. */
export const straight = new PublicApi(stack.rest.url, api.document);

export const workspaces = stack.workspaces!;

/** Access of internal teams, which an integrator does not have. */
export function internal(workspace = 0): GraphqlAccess {
  return accessTo(stack.graphql, workspaces[workspace]!.id);
}

type Role = 'admin' | 'member' | 'viewer';

const SCOPES = ['read', 'contracts:write', 'timesheets:write', 'milestones:write'] as const;
const OF_ROLE = { admin: SCOPES, member: SCOPES.slice(0, 2), viewer: SCOPES.slice(0, 1) } as const;

export interface Integrator {
  key: string;
  keyId: string;
  memberId: string;
  v1: V1Client;
}

interface Wish {
  role?: Role;
  workspace?: number;
  scopes?: readonly (typeof SCOPES)[number][];
}

/** A new member with a key: a principal that shares no limit, key or reference with another test. */
export async function newIntegrator({ role = 'admin', workspace = 0, scopes = OF_ROLE[role] }: Wish = {}) {
  const access = internal(workspace);
  const { id: memberId } = await ask<{ id: string }>(
    access,
    'mutation ($email: String!, $role: Role!) { addMember(name: "Ina Integrator", email: $email, role: $role) { id } }',
    { email: `${randomUUID()}@integrator.example`, role },
  );
  const { secret, apiKey } = await ask<{ secret: string; apiKey: { id: string } }>(
    access,
    'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { memberId, name: 'End to end', scopes, expiresAt: new Date(Date.now() + 86_400_000).toISOString() } },
  );
  return { key: secret, keyId: apiKey.id, memberId, v1: api.client(secret) } satisfies Integrator;
}

/** A header that every write needs. */
export const once = (key: string = randomUUID()) => ({ header: { 'Idempotency-Key': key } });

export interface Result<Data> {
  data?: Data;
  error?: Schemas['ErrorBody'];
  response: Response;
}

/** The body of a success; a refusal fails the test with its message. */
export function must<Data>({ data, error, response }: Result<Data>): Data {
  if (data === undefined) throw new Error(`${response.status} ${error?.error.code}: ${error?.error.message}`);
  return data;
}

/** Status and code of a refusal: `409 STALE_RESOURCE_VERSION`. */
export function refusal({ error, response }: Result<unknown>): string {
  return `${response.status} ${error?.error.code ?? 'is no refusal'}`;
}
