import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ask } from '../../demo/graphql-client.js';
import { api, internal, must, newIntegrator, once, refusal } from './integrator.js';
import { letEightDaysPass, whileStopped } from './owner.js';

const { v1, keyId } = await newIntegrator();

const create = (title: string, write: ReturnType<typeof once>) =>
  v1.POST('/contracts', { params: write, body: { title } });

it('a key that was used for something else is refused, also across operations', async () => {
  const write = once();
  must(await create('The first', write));
  expect(refusal(await create('Another', write))).toBe('409 IDEMPOTENCY_KEY_REUSED');
  const approval = { params: { path: { id: randomUUID() }, ...write }, body: { expectedVersion: '1' } };
  expect(refusal(await v1.POST('/timesheets/{id}/approve', approval))).toBe('409 IDEMPOTENCY_KEY_REUSED');
});

it('a refused request does not use its key up', async () => {
  const write = once();
  const externalReference = randomUUID();
  must(await v1.POST('/contracts', { params: once(), body: { title: 'First', externalReference } }));
  const second = { params: write, body: { title: 'Second', externalReference } };
  expect(refusal(await v1.POST('/contracts', second))).toBe('409 EXTERNAL_REFERENCE_EXISTS');
  expect((await create('Something else', write)).response.status).toBe(201);
});

it('a key belongs to its principal: kept when the API key is rotated, and nobody else is answered with it', async () => {
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

it('while a request is under way its retry is told so, and both end with one answer', async () => {
  const write = once();
  const [both, refused] = await whileStopped('contracts', async () => {
    const both = [create('Slow', write), create('Slow', write)];
    return [both, await Promise.race(both)] as const;
  });
  expect(refusal(refused)).toBe('409 OPERATION_IN_PROGRESS');
  const [made] = (await Promise.all(both)).filter(({ response }) => response.status === 201);
  expect(must(await create('Slow', write))).toEqual(must(made!));
});

it('eight days later a key is spent for ever', async () => {
  const write = once();
  must(await create('Long ago', write));
  await letEightDaysPass(write.header['Idempotency-Key']);
  expect(refusal(await create('Long ago', write))).toBe('409 OPERATION_EXPIRED');
  expect(refusal(await create('Long ago', write))).toBe('409 OPERATION_EXPIRED');
});
