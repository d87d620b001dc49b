import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { newInternalToken, type AdmissionResponse } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { expect, it, vi } from 'vitest';
import { createApp } from '../src/app.js';
import { supergraph } from '../src/index.js';
import { subgraphSources } from '../src/subgraph-source.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

const tokens = { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' };
const workspaceId = newId();
const actor = { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES } as const;
const answer: AdmissionResponse = {
  admitted: true,
  origin: { actor, via: 'graphql', requestId: 'r' },
  tokens,
  rateLimits: [],
};

it('2,000 different queries leave 500 documents and plans', async () => {
  await using stack = new AsyncDisposableStack();
  const fakes = stack.use(await startFakeSubgraphs());
  fakes.answers.workspaces = () => ({ data: { business: { name: 'Northwind' } } });
  const stored = vi.spyOn(InMemoryLRUCache.prototype, 'set');
  const sources = subgraphSources(fakes.urls);
  for (const source of Object.values(sources)) stack.use(source);
  const app = await createApp({
    supergraph: supergraph(),
    sources,
    admission: { ask: () => Promise.resolve(answer) },
    log: createLog('test', 'silent'),
    waitingFor: () => Promise.resolve([]),
    explorerStack: null,
  });
  stack.adopt(app, (open) => open.close());
  const headers = { authorization: `Bearer ${newInternalToken().text}`, 'x-workspace-id': workspaceId };
  const ask = async (n: number): Promise<number> => {
    const payload = { query: `query Q${n} { business { name } }` };
    return (await app.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 2_000 }, (_, n) => ask(n)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const stores = new Set(stored.mock.contexts as InMemoryLRUCache[]);
  expect([...stores].map((store) => store.keys().length)).toEqual([500, 500]);
}, 120_000);
