import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type GraphqlAccess } from '../../demo/graphql-client.js';
import { seedDemo } from '../../demo/seed.js';
import { startSystem, type System } from './support.js';

let system: System;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
});

afterAll(async () => await started.disposeAsync());

interface Named {
  id: string;
  status: string;
  contractType: string;
  deletedAt: string | null;
}

const first = (): GraphqlAccess => system.access();

async function contracts(): Promise<Named[]> {
  const query = '{ contracts(limit: 100, includeDeleted: true) { nodes { id status contractType deletedAt } } }';
  return (await ask<{ nodes: Named[] }>(first(), query)).nodes;
}

const count = async (list: string, filter: string): Promise<number> =>
  (await ask<{ nodes: unknown[] }>(first(), `{ ${list}(limit: 100${filter}) { nodes { id } } }`)).nodes.length;

it('the first workspace has contracts of every type and in every state, and a tombstone', async () => {
  const all = await contracts();
  expect(all.length).toBeGreaterThanOrEqual(12);
  expect(new Set(all.map(({ contractType }) => contractType)).size).toBe(5);
  expect(new Set(all.map(({ status }) => status)).size).toBe(9);
  expect(all.some(({ deletedAt }) => deletedAt !== null)).toBe(true);
});

it('work waits for a reviewer: at least 12 timesheets and 8 milestones', async () => {
  expect(await count('timesheets', ', status: submitted')).toBeGreaterThanOrEqual(12);
  const ids = (await contracts()).map(({ id }) => id);
  const submitted = await Promise.all(ids.map((id) => count('milestones', `, contractId: "${id}", status: submitted`)));
  expect(submitted.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(8);
});

it('there are payments in every status and balances in two currencies', async () => {
  const statuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'];
  const counts = await Promise.all(statuses.map((status) => count('payments', `, status: ${status}`)));
  expect(counts.every((n) => n > 0)).toBe(true);
  const { available } = await ask<{ available: { amount: string; currency: string }[] }>(
    first(),
    '{ balances { available { amount currency } } }',
  );
  expect(available.filter(({ amount }) => Number(amount) > 0).map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
});

it('each role has a key of its own in both workspaces, which opens only that one', async () => {
  const keys = system.workspaces.flatMap(({ id, apiKeys }) => Object.values(apiKeys).map((key) => ({ id, key })));
  expect(new Set(keys.map(({ key }) => key)).size).toBe(6);
  for (const { id, key } of keys) {
    expect(await system.rest(key, 'GET', '/business')).toMatchObject({ status: 200, body: { id } });
  }
});

it('each role has an access token for the MCP server in both workspaces, of the person of that role', async () => {
  for (const { mcpTokens, users } of system.workspaces) {
    for (const { role, email } of users!) {
      const token = mcpTokens![role as keyof typeof mcpTokens];
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${system.stack.file.auth!.url}/oauth/userinfo`, { headers });
      expect(await answer.json()).toMatchObject({ email });
    }
  }
});
