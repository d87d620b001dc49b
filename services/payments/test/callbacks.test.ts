import { generateKeySync } from 'node:crypto';
import { createLog } from '@payroll/runtime';
import { CALLBACK_HEADERS, REPLAY_WINDOW_MS, signCallback } from '@payroll/provider-protocol';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createCallbacks } from '../src/payouts/callbacks.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

const KEY = generateKeySync('hmac', { length: 256 });
const scene = await Scene.open('payments_callbacks');
const workspace = await TestWorkspace.open(scene);
await workspace.fund('1000');
const log = createLog('payments', 'silent');
const settings = {
  url: 'http://payments.example',
  listenHost: '',
  listenPort: 0,
  keys: [generateKeySync('hmac', { length: 256 }), KEY],
};
const door = createCallbacks({ em: scene.em, log, waitingFor: () => Promise.resolve([]) }, settings);
afterAll(async () => {
  await door?.close();
  await scene?.[Symbol.asyncDispose]();
});

/** A payment in progress whose next poll is far off. */
async function waiting(): Promise<{ id: string; key: string }> {
  const id = await workspace.milestone(await workspace.contract('sandbox:settles-later'), '10.00');
  await scene.round();
  const [row] = await scene.sql(sql<{ key: string }>`
    select idempotency_key as key from payout_attempt where payment_id = ${id} and status = 'submitted'`);
  return { id, key: row!.key };
}

interface Told {
  body: string;
  at?: number;
  key?: typeof KEY;
  headers?: Record<string, string>;
}

async function tell({ body, at = Date.now(), key = KEY, headers = {} }: Told): Promise<number> {
  const timestamp = String(at);
  const signed = {
    [CALLBACK_HEADERS.timestamp]: timestamp,
    [CALLBACK_HEADERS.signature]: signCallback(key, timestamp, body),
  };
  const all = { host: 'payments.example', 'content-type': 'application/json', ...signed, ...headers };
  return (await door.inject({ method: 'POST', url: '/payouts/callbacks', headers: all, payload: body })).statusCode;
}

const of = (idempotencyKey: string, more: object = {}): string => JSON.stringify({ idempotencyKey, ...more });
const statusOf = async (id: string): Promise<unknown> => (await workspace.payment(id)).status;

it("a callback triggers a poll; the provider's answer, not the callback, decides the status", async () => {
  const { id, key } = await waiting();
  await scene.round();
  expect(await statusOf(id)).toBe('processing');
  expect(await tell({ body: of(key, { status: 'declined' }) })).toBe(204);
  expect(await statusOf(id), 'a callback records nothing').toBe('processing');
  await scene.round();
  expect(await statusOf(id)).toBe('completed');
});

it('ignores duplicate, late and unknown callbacks', async () => {
  const { id, key } = await waiting();
  const once = { body: of(key), at: Date.now() };
  expect([await tell(once), await tell(once), await tell(once)]).toEqual([204, 204, 204]);
  await scene.round();
  expect(await statusOf(id)).toBe('completed');
  expect(await tell({ body: of(key) })).toBe(204);
  expect(await tell({ body: of('milestone:nobodys:1') })).toBe(204);
  await scene.round();
  expect(await workspace.paidOut(id)).toEqual(['10.00']);
  expect(workspace.toldOf(id).map(([, status]) => status)).toEqual(['processing', 'completed']);
});

it('refuses callbacks with a wrong or old signature, and brings no poll forward', async () => {
  const { id, key } = await waiting();
  const body = of(key);
  const signature = CALLBACK_HEADERS.signature;
  const refused = [
    await tell({ body, key: generateKeySync('hmac', { length: 256 }) }),
    await tell({ body, at: Date.now() - REPLAY_WINDOW_MS - 60_000 }),
    await tell({ body, headers: { [signature]: 'v1=' } }),
    await tell({ body, headers: { [CALLBACK_HEADERS.timestamp]: String(Date.now() + 1_000) } }),
  ];
  expect(refused).toEqual([401, 401, 401, 401]);
  expect(await tell({ body: '{}' })).toBe(400);
  expect(await tell({ body: 'no JSON' })).toBe(400);
  expect(await tell({ body: of(key, { more: 'x'.repeat(70_000) }) })).toBe(413);
  await scene.round();
  expect(await statusOf(id)).toBe('processing');
});
