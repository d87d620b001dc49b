import { newInternalToken, type AdmissionAnswer } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import { createLog } from '@payroll/process';
import { expect, it, vi } from 'vitest';
import { createApp } from '../src/app.js';
import { Gateway, supergraph, type Caller } from '../src/index.js';
import { LatestUsed } from '../src/apollo.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

const tokens = { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' };
const workspaceId = newId();
const actor = { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES } as const;
const answer: AdmissionAnswer = {
  admitted: true,
  origin: { actor, via: 'graphql', requestId: 'r' },
  tokens,
  rateLimits: [],
};

it('2,000 different queries leave 500 documents and plans, and a prepared operation on its short way', async () => {
  await using stack = new AsyncDisposableStack();
  const fakes = stack.use(await startFakeSubgraphs());
  fakes.answers.workspaces = () => ({ data: { business: { name: 'Northwind' } } });
  const stored = vi.spyOn(LatestUsed.prototype, 'set');
  const gateway = stack.use(await Gateway.create({ supergraph: supergraph(), subgraphs: fakes.urls }));
  const prepared = gateway.prepare('{ business { name } }');
  const caller: Caller = { tokens, requestId: 'prepared' };
  await prepared.run({}, caller);
  const app = await createApp({
    gateway,
    admission: { ask: () => Promise.resolve(answer) },
    log: createLog('test', 'silent'),
    waitingFor: () => Promise.resolve([]),
  });
  stack.adopt(app, (open) => open.close());
  const headers = { authorization: `Bearer ${newInternalToken().text}`, 'x-workspace-id': workspaceId };
  const ask = async (n: number): Promise<number> => {
    const payload = { query: `query Q${n} { business { name } }` };
    return (await app.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: 2_000 }, (_, n) => ask(n)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const stores = new Set(stored.mock.contexts as LatestUsed<object>[]);
  expect([...stores].map(({ size }) => size)).toEqual([500, 500]);
  expect(gateway.knownWays).toBe(1);
  const before = stored.mock.calls.length;
  expect(await prepared.run({}, caller)).toEqual({ business: { name: 'Northwind' } });
  expect(stored.mock.calls).toHaveLength(before);
}, 120_000);
