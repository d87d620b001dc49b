import { randomUUID } from 'node:crypto';
import { ROLE_SCOPES, type Role, type Scope } from '@payroll/kernel';
import { accessTo, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { newKey, newMember } from '@payroll/tools/demo/people';
import { PublicApi, type Schemas } from '../support/client/client.js';
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

interface Wish {
  role?: Role;
  workspace?: number;
  scopes?: readonly Scope[];
}

/** A new member with a key: a principal that shares no limit, key or reference with another test. */
export async function newIntegrator({ role = 'admin', workspace = 0, scopes = ROLE_SCOPES[role] }: Wish = {}) {
  const access = internal(workspace);
  // A running system may have those of earlier runs.
  const memberId = await newMember(access, role, `${randomUUID()}@integrator.example`);
  const { id: keyId, secret: key } = await newKey(access, memberId, { scopes });
  return { key, keyId, v1: api.client(key) };
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

interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** Reads a list to its end, as public-api.md §4 says: `nextCursor` as `cursor`, all other filters unchanged. */
export async function allPages<Item>(get: (cursor?: string) => Promise<Result<Page<Item>>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const page = must(await get(cursor));
    items.push(...page.data);
    if (page.hasMore !== (page.nextCursor !== null)) throw new Error('hasMore and nextCursor disagree');
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

/** Status and code of a refusal: `409 STALE_RESOURCE_VERSION`. */
export function refusal({ error, response }: Result<unknown>): string {
  return `${response.status} ${error?.error.code ?? 'is no refusal'}`;
}
