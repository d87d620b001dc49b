import type { FinanceTokens, StackFile } from '../local/stack-file.js';
import { COUNTERSIGN } from './operations.js';

interface Access {
  /** `…/graphql` of the internal endpoint. */
  url: string;
  token: string;
  workspaceId: string;
}

export interface GraphqlAccess extends Access {
  finance: FinanceTokens;
}

/** The internal endpoint of a running system that has demo data. */
export function accessTo({ url, token, finance }: StackFile['graphql'], workspaceId: string): GraphqlAccess {
  if (token === undefined || finance === undefined) throw new Error('This system has no demo data.');
  return { url, token, finance, workspaceId };
}

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

export async function sendGraphql(access: Access, query: string, variables: object = {}): Promise<GraphqlAnswer> {
  const { url, token, workspaceId } = access;
  const identity = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId, 'x-reason': 'demo' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...identity },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlAnswer;
}

/** Returns the operation's only field; throws the first error's message. */
export async function ask<T>(access: Access, query: string, variables: object = {}): Promise<T> {
  const { data, errors } = await sendGraphql(access, query, variables);
  const [error] = errors ?? [];
  if (error || !data) throw new Error(`${error?.extensions?.code ?? 'GraphQL'}: ${error?.message ?? 'no data'}`);
  return Object.values(data)[0] as T;
}

/** Operations that move money: requested by one finance person and countersigned by another. */
export async function instruct(access: GraphqlAccess, request: string, variables: object): Promise<void> {
  const [first, second] = access.finance;
  const { id } = await ask<{ id: string }>({ ...access, token: first }, request, variables);
  await ask({ ...access, token: second }, COUNTERSIGN, { id });
}
