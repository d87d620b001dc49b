import { createSecretKey } from 'node:crypto';
import { mintActorTokens } from '@payroll/admission';
import { Gateway, supergraph, type Caller } from '@payroll/gateway';
import {
  byName,
  CONTRACT_STATUSES,
  newId,
  PAYMENT_STATUSES,
  SCOPES,
  SERVICES,
  TIMESHEET_STATUSES,
  type Origin,
  type Scope,
} from '@payroll/kernel';
import { operations, type OperationName } from '@payroll/public-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bindings, operationNames } from '../../../../rest-facade/src/bindings.js';
import { prepareOperation } from '../../../../rest-facade/src/ask-graph.js';
import { seedDemo } from '../../../demo/seed.js';
import { ownerOf } from '../owner.js';
import { startSystem, type Json, type System } from '../support.js';
import { addStrangeRows } from './text-rows.js';

type Input = { params: object; query: object; body: undefined };
type Prepared = ReturnType<Gateway['prepare']>;
type Run = (input: Input, caller: Caller) => Promise<string>;

const started = new AsyncDisposableStack();
let system: System;
let gateway: Gateway;
/** Whether each answer of a service was text. */
const wasText: boolean[] = [];
const ids: Record<string, string[]> = {};

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
  const subgraphs = byName(SERVICES, (service) => `http://127.0.0.1:${system.stack.ports[service]}/graphql`);
  gateway = started.use(await Gateway.create({ supergraph: supergraph(), subgraphs }));
  const { database } = started.use(await ownerOf(system));
  const workspaceId = system.workspaces[0].id;
  Object.assign(ids, await addStrangeRows(database, workspaceId));
}, 180_000);
afterAll(async () => await started.disposeAsync());

function callerWith(scopes: readonly Scope[]): Caller {
  const keys = byName(SERVICES, (service) => createSecretKey(system.stack.secrets.actorKeys[service], 'hex'));
  const workspaceId = system.workspaces[0].id;
  const actor = { kind: 'api_key', principalId: newId(), workspaceId, role: 'admin', scopes } as const;
  const origin: Origin = { actor, via: 'rest', requestId: newId() };
  return { tokens: mintActorTokens(keys, origin, new Date()), requestId: origin.requestId };
}

/** The facade's own way from request to body: by data that GraphQL made and the writer checked, or by the service's text. */
function waysOf(name: OperationName): { executed: Run; written: Run } {
  const way = (run: (prepared: Prepared) => Prepared['runToText']): Run => {
    const prepare = (document: string) => ({ runToText: run(gateway.prepare(document)) });
    return prepareOperation(name, { prepare } as unknown as Gateway, { checkedShare: 0 }) as Run;
  };
  return {
    executed: way((prepared) => async (...asked) => ({ data: await prepared.run(...asked) })),
    written: way((prepared) => async (...asked) => {
      const answer = await prepared.runToText(...asked);
      wasText.push('text' in answer);
      return answer;
    }),
  };
}

/** The body, or the refusal; balances tell when they were read. */
async function outcome(run: Run, input: Partial<Input>, scopes: readonly Scope[] = SCOPES): Promise<string> {
  try {
    const body = await run({ params: {}, query: {}, body: undefined, ...input }, callerWith(scopes));
    return body.replace(/"asOf":"[^"]*"/, '');
  } catch (error) {
    const { code, message, details, retryAfterSeconds } = error as unknown as Json;
    return `refused: ${JSON.stringify({ code, message, details, retryAfterSeconds })}`;
  }
}

const ALL = { limit: 100 };
const changed = { ...ALL, updatedSince: '1970-01-01T00:00:00.000000Z' };
const pages = [{ limit: 1 }, ALL, changed, { ...ALL, status: 'rejected' }, { ...ALL, contractId: newId() }];
const wrong = { ...ALL, cursor: 'bm9uZQ' };

function inputsOf(name: OperationName): Partial<Input>[] {
  const { params, query } = operations[name];
  if ('id' in params.properties) return [...ids[bindings[name].field]!, newId()].map((id) => ({ params: { id } }));
  if (!('limit' in query.properties)) return [{}];
  const known = Object.keys(query.properties);
  const fitting = [...pages, wrong, { ...ALL, includeDeleted: 'true' }, { ...ALL, status: 'failed' }];
  return fitting
    .filter((asked) => Object.keys(asked).every((each) => known.includes(each)))
    .map((query) => ({ query }));
}

const reads = operationNames.filter((name) => operations[name].method === 'GET' && !bindings[name].within);

it.each(reads)('%s is the same, byte by byte, as text of the service and as data of GraphQL', async (name) => {
  const { executed, written } = waysOf(name);
  const inputs = inputsOf(name);
  const bodies: string[] = [];
  for (const input of inputs) {
    const expected = await outcome(executed, input);
    bodies.push(expected);
    wasText.length = 0;
    expect(await outcome(written, input)).toBe(expected);
    expect(wasText).toEqual(expected.startsWith('refused') && !expected.includes('NOT_FOUND') ? [] : [true]);
  }
  expect(bodies.some((body) => body.startsWith('{'))).toBe(true);
  const refused = await outcome(executed, inputs[0]!, []);
  expect(refused).toContain('INSUFFICIENT_SCOPE');
  expect(await outcome(written, inputs[0]!, [])).toBe(refused);
});

it.each([
  ['listContracts', CONTRACT_STATUSES],
  ['listTimesheets', TIMESHEET_STATUSES],
  ['listPayments', PAYMENT_STATUSES],
] as const)('%s has read every status', async (name, words) => {
  const page = await outcome(waysOf(name).written, { query: { ...ALL, includeDeleted: 'true' } });
  const { data } = JSON.parse(page) as { data: { status: string }[] };
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(words));
});
