import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import { api, internal, must, newIntegrator, once, refusal } from './integrator.js';
import { whileStopped } from '../support/while-stopped.js';
import { letEightDaysPass } from './owner.js';
import { stack } from './under-test.js';

const { v1, keyId } = await newIntegrator();

const create = (title: string, write: ReturnType<typeof once>) =>
  v1.POST('/contracts', { params: write, body: { title } });

it('a key that was used for another request is refused, even for another operation', async () => {
  const write = once();
  must(await create('The first', write));
  expect(refusal(await create('Another', write))).toBe('409 IDEMPOTENCY_KEY_REUSED');
  const approval = { params: { path: { id: randomUUID() }, ...write }, body: { expectedVersion: '1' } };
  expect(refusal(await v1.POST('/timesheets/{id}/approve', approval))).toBe('409 IDEMPOTENCY_KEY_REUSED');
});

it('a refusal frees its key for a corrected request; the same request is refused in the same way', async () => {
  const write = once();
  const externalReference = randomUUID();
  must(await v1.POST('/contracts', { params: once(), body: { title: 'First', externalReference } }));
  const second = { params: write, body: { title: 'Second', externalReference } };
  for (const _twice of [1, 2])
    expect(refusal(await v1.POST('/contracts', second))).toBe('409 EXTERNAL_REFERENCE_EXISTS');
  expect((await create('Something else', write)).response.status).toBe(201);
});

it('a key belongs to its principal: it survives rotation, and others get no answer for it', async () => {
  const write = once();
  const { id } = must(await create('Once', write));
  const rotation = 'mutation ($id: ID!, $until: Timestamp!) { rotateApiKey(id: $id, expiresAt: $until) { secret } }';
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const { secret } = await ask<{ secret: string }>(internal(), rotation, { id: keyId, until });
  const replay = await api.client(secret).POST('/contracts', { params: write, body: { title: 'Once' } });
  expect(replay.response.headers.get('idempotency-replayed')).toBe('true');
  expect(must(replay).id).toBe(id);

  const { v1: other } = await newIntegrator();
  expect(must(await other.POST('/contracts', { params: write, body: { title: 'Once' } })).id).not.toBe(id);
});

it('a retry waits for the first request, is 409 if that takes too long, and ends with its answer', async () => {
  const write = once();
  const [first, retry] = await whileStopped(stack, 'contracts', async () => {
    const both = [create('Slow', write), create('Slow', write)] as const;
    const quicker = await Promise.race(both);
    expect(refusal(quicker)).toBe('409 OPERATION_IN_PROGRESS');
    expect(quicker.response.headers.get('retry-after')).toBe('1');
    return both;
  });
  await Promise.all([first, retry]);
  const made = must(await create('Slow', write));
  expect(must(await create('Slow', write))).toEqual(made);
  const { data } = must(await v1.GET('/contracts', { params: { query: { limit: 100 } } }));
  expect(data.filter(({ title }) => title === 'Slow')).toHaveLength(1);
});

it('concurrent retries get the same answer, with Idempotency-Replayed', async () => {
  const write = once();
  const answers = await Promise.all(Array.from({ length: 5 }, () => create('Together', write)));
  const [made] = answers;
  for (const answer of answers) expect(must(answer)).toEqual(must(made!));
  const replayed = answers.filter(({ response }) => response.headers.get('idempotency-replayed') === 'true');
  expect(replayed).toHaveLength(4);
});

it('while a service is down a write is 503 however often it is sent, and succeeds afterwards', async () => {
  const write = once();
  await whileStopped(stack, 'contracts', async () => {
    expect(refusal(await create('Later', write))).toBe('503 SERVICE_UNAVAILABLE');
    expect(refusal(await create('Later', write))).toBe('503 SERVICE_UNAVAILABLE');
  });
  const made = must(await create('Later', write));
  expect(must(await create('Later', write))).toEqual(made);
});

it('after eight days a key can never be used again', async () => {
  const write = once();
  const { id } = must(await create('Long ago', write));
  await letEightDaysPass(id);
  expect(refusal(await create('Long ago', write))).toBe('409 OPERATION_EXPIRED');
  expect(refusal(await create('Long ago', write))).toBe('409 OPERATION_EXPIRED');
});
