import { randomUUID } from 'node:crypto';
import { createAdmissionClient, parseApiKey } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import { connectNats, type Bus } from '@payroll/bus';
import { createLog } from '@payroll/process';
import { openDatabase } from '@payroll/store';
import type { FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../../rest-facade/src/app.js';
import { IdempotencyClaims } from '../../../../rest-facade/src/idempotency/claims.js';
import { facadeSchema } from '../../../../rest-facade/src/store/schema.js';
import { Gate, gated } from './gate.js';
import { activeContract, paymentsOf, joinSystem, submittedTimesheet, type Json, type System } from '../support.js';

let system: System;
let contractId: string;
let database: Client;
let original: FastifyInstance;
let retry: FastifyInstance;
const gate = new Gate();
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await joinSystem());
  const { stack } = system;
  contractId = await activeContract(system.access());
  database = started.adopt(new Client(stack.database.ownerUrl), (open) => open.end());
  await database.connect();
  const log = createLog('late-original', 'silent');
  const bus: Bus = started.use(connectNats({ url: stack.natsUrls['rest-facade'], name: 'late-original', log }));
  await bus.subscribed();
  const orm = started.adopt(await openDatabase(facadeSchema, stack.database.urls.rest_facade), (open) => open.close());
  const url = (name: 'workspaces' | 'contracts' | 'review' | 'payments'): string =>
    `http://127.0.0.1:${stack.ports[name]}/graphql`;
  const subgraphs = {
    workspaces: url('workspaces'),
    contracts: url('contracts'),
    review: url('review'),
    payments: url('payments'),
  };
  const gateway = started.use(await Gateway.create({ supergraph: supergraph(), subgraphs }));
  const plain = {
    admission: createAdmissionClient(bus),
    parseCredential: (header: string | undefined) => parseApiKey(header, 'test'),
    whyNoCredential: () => 'There is no credential.',
    gateway,
    claims: new IdempotencyClaims(orm.em.fork()),
    log,
    waitingFor: () => Promise.resolve([]),
    deadlineMs: 60_000,
  };
  retry = started.adopt(await createApp(plain), (app) => app.close());
  original = started.adopt(
    await createApp({
      ...plain,
      admission: gated(plain.admission, gate, { ask: 'admitted' }),
      claims: gated(plain.claims, gate, {
        begin: 'claimed',
        renew: 'never renewed',
        complete: 'completed',
        free: 'freed',
      }),
      gateway: {
        prepare: (operation: string) => gated(gateway.prepare<never, never>(operation), gate, { runToText: 'decided' }),
      } as never,
    }),
    (app) => app.close(),
  );
});

afterAll(async () => await started.disposeAsync());

async function send(
  app: FastifyInstance,
  path: string,
  body: object,
  key: string,
): Promise<{ status: number; body: Json }> {
  const answer = await app.inject({
    method: 'POST',
    url: `/v1${path}`,
    headers: {
      authorization: `Bearer ${system.workspaces[0].apiKeys.admin}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, body: answer.json<Json>() };
}

async function lapse(key: string): Promise<void> {
  await database.query('update rest_facade.idempotency_claim set lease_until = clock_timestamp() where key = $1', [
    key,
  ]);
}

const paymentsFor = async (timesheetId: string): Promise<number> =>
  (await paymentsOf(system.access(), contractId, timesheetId)).length;

it.each(['admitted', 'claimed', 'decided', 'completed'])(
  'an original that stops once it is %s and goes on after a takeover changes nothing',
  async (step) => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const key = randomUUID();
    const path = `/timesheets/${id}/approve`;
    const paused = gate.pauseAt(step);
    const late = send(original, path, { expectedVersion: version }, key);
    await paused;
    await lapse(key);
    const taken = await send(retry, path, { expectedVersion: version }, key);
    expect(taken).toMatchObject({ status: 200, body: { status: 'approved' } });
    gate.resume();
    expect(await late).toEqual(taken);
    expect(await paymentsFor(id)).toBe(1);
    expect((await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/timesheets/${id}`)).body).toEqual(
      taken.body,
    );
  },
);

it('an original that comes after its takeover was refused does not apply what was refused', async () => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const key = randomUUID();
  const paused = gate.pauseAt('claimed');
  const late = send(original, `/timesheets/${id}/approve`, { expectedVersion: 'not the version' }, key);
  await paused;
  await lapse(key);
  const refused = await send(retry, `/timesheets/${id}/approve`, { expectedVersion: 'not the version' }, key);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'STALE_RESOURCE_VERSION' } } });
  gate.resume();
  expect(await late).toMatchObject({ status: 409, body: { error: { code: 'STALE_RESOURCE_VERSION' } } });
  // The refusal freed the key, and the work is as it was.
  expect(await send(retry, `/timesheets/${id}/approve`, { expectedVersion: version }, key)).toMatchObject({
    status: 200,
  });
  expect(await paymentsFor(id)).toBe(1);
});
