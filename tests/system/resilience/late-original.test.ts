import { randomUUID } from 'node:crypto';
import { AdmissionPeer, createAdmissionClient, parseApiKey } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import { recordOf, SERVICES } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { openDatabase } from '@payroll/store';
import type { FastifyInstance } from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { createApp } from '../../../rest-facade/src/app.js';
import { IdempotencyKeys } from '../../../rest-facade/src/idempotency.js';
import { facadeSchema } from '../../../rest-facade/src/store/schema.js';
import { activeContract, paymentsOf, joinSystem, submittedTimesheet, type Json } from '../support.js';

/** Pauses a program at a named step until it is resumed. One pause at a time. */
class Gate {
  private step: string | undefined;
  private arrived: () => void = () => {};
  private letGo: () => void = () => {};
  private released: Promise<void> = Promise.resolve();

  /** Resolves when the program has reached the step. */
  async pauseAt(step: string): Promise<void> {
    this.step = step;
    this.released = new Promise((resolve) => (this.letGo = resolve));
    await new Promise<void>((resolve) => (this.arrived = resolve));
  }

  resume(): void {
    this.step = undefined;
    this.letGo();
  }

  async pass(step: string): Promise<void> {
    if (step !== this.step) return;
    this.step = undefined;
    this.arrived();
    await this.released;
  }
}

/** Wraps an object: each method named in `steps` passes the gate after it has succeeded or failed. */
function gated<Target extends object>(target: Target, gate: Gate, steps: Readonly<Record<string, string>>): Target {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== 'function') return value;
      const step = steps[String(name)];
      return async (...args: unknown[]) => {
        try {
          return (await Reflect.apply(value, object, args)) as unknown;
        } finally {
          if (step !== undefined) await gate.pass(step);
        }
      };
    },
  });
}

const gate = new Gate();
const started = new AsyncDisposableStack();

const system = await joinSystem();
const { stack } = system;
const contractId = await activeContract(system.access());
const log = createLog('late-original', 'silent');
const { ADMISSION_URL, ADMISSION_SECRET } = stack.environmentOf('rest-facade');
const peer = started.use(new AdmissionPeer({ url: ADMISSION_URL!, secret: ADMISSION_SECRET! }));
const orm = started.adopt(await openDatabase(facadeSchema, stack.database.urls.rest_facade), (open) => open.close());
const subgraphs = recordOf(SERVICES, (name) => `http://127.0.0.1:${stack.ports[name]}/graphql`);
const gateway = started.use(new Gateway({ supergraph: supergraph(), subgraphs }));
const plain = {
  admission: createAdmissionClient(peer),
  parseCredential: (header: string | undefined) => parseApiKey(header, 'test'),
  whyNoCredential: () => 'There is no credential.',
  gateway,
  keys: new IdempotencyKeys(orm.em.fork()),
  log,
  waitingFor: () => Promise.resolve([]),
  publicUrl: '/v1',
  mcpUrl: '',
  deadlineMs: 60_000,
};
const retry = started.adopt(await createApp(plain), (app) => app.close());
const original = started.adopt(
  await createApp({
    ...plain,
    admission: gated(plain.admission, gate, { ask: 'admitted' }),
    keys: gated(plain.keys, gate, { register: 'registered', free: 'freed' }),
    gateway: {
      prepare: (operation: string) => gated(gateway.prepare<never, never>(operation), gate, { runToText: 'decided' }),
    } as never,
  }),
  (app) => app.close(),
);

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

const paymentsFor = async (timesheetId: string): Promise<number> =>
  (await paymentsOf(system.access(), contractId, timesheetId)).length;

const approval = (id: string, key: string) => (app: FastifyInstance, expectedVersion: string) =>
  send(app, `/timesheets/${id}/approve`, { expectedVersion }, key);

const STALE = { status: 409, body: { error: { code: 'STALE_RESOURCE_VERSION' } } };
const REUSED = { status: 409, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } } };

// A paused original stands for a process that has died, until it is resumed.
it.each(['admitted', 'registered', 'decided'])(
  'an original paused after it was %s and its retry are one operation, before and after the original resumes',
  async (step) => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const approve = approval(id, randomUUID());
    const paused = gate.pauseAt(step);
    const late = approve(original, version);
    await paused;
    const retried = await approve(retry, version);
    expect(retried).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(await paymentsFor(id)).toBe(1);
    gate.resume();
    expect(await late).toEqual(retried);
    expect(await paymentsFor(id)).toBe(1);
    expect((await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/timesheets/${id}`)).body).toEqual(
      retried.body,
    );
  },
);

it('an original that resumes after its retry was refused does not apply the refused request', async () => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const approve = approval(id, randomUUID());
  const paused = gate.pauseAt('registered');
  const late = approve(original, 'not the version');
  await paused;
  expect(await approve(retry, 'not the version')).toMatchObject(STALE);
  // The refusal has freed the key for a corrected request; the original must not take it back.
  const corrected = await approve(retry, version);
  expect(corrected).toMatchObject({ status: 200, body: { status: 'approved' } });
  gate.resume();
  expect(await late).toMatchObject(STALE);
  expect(await approve(retry, 'yet another version')).toMatchObject(REUSED);
  expect(await approve(retry, version)).toEqual(corrected);
  expect(await paymentsFor(id)).toBe(1);
});

it.each(['decided', 'freed'])(
  'a refusal whose process dies after it was %s is repeated for the retry, and then the key is free',
  async (step) => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const approve = approval(id, randomUUID());
    const paused = gate.pauseAt(step);
    const late = approve(original, 'not the version');
    await paused;
    if (step === 'decided') expect(await approve(retry, version)).toMatchObject(REUSED);
    expect(await approve(retry, 'not the version')).toMatchObject(STALE);
    expect(await approve(retry, version)).toMatchObject({ status: 200, body: { status: 'approved' } });
    gate.resume();
    expect(await late).toMatchObject(STALE);
    expect(await paymentsFor(id)).toBe(1);
  },
);
