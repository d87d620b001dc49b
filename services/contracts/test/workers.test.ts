import { newId, type Origin } from '@payroll/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerWorker } from '../src/store/workers.js';
import { apiKey, Contracts, person, staff } from './support.js';

let contracts: Contracts;
beforeAll(async () => {
  contracts = await Contracts.open('contracts_workers');
});
afterAll(() => contracts[Symbol.asyncDispose]());

async function ask<T>(origin: Origin, query: string, variables: object = {}): Promise<T> {
  const { data, errors } = await contracts.graphql(origin, query, variables);
  if (errors) throw new Error(errors[0]!.extensions.code);
  return Object.values(data ?? {})[0] as T;
}

const REGISTER = 'mutation ($name: String!) { registerWorker(name: $name, email: "w@example.com") { id } }';
const UPDATE = `mutation ($id: ID!, $name: String, $email: String) {
  updateWorker(id: $id, name: $name, email: $email) { id name email } }`;

interface Listed {
  nodes: { id: string; updatedAt: string; worker: { name: string } }[];
}

it('renaming a worker changes every contract that shows the name, and no other', async () => {
  const origin = staff();
  const worker = await ask<{ id: string }>(origin, REGISTER, { name: 'Wanda' });
  const ids: string[] = [];
  for (const title of ['one', 'two', 'three']) {
    const create = 'mutation ($title: String!) { createContractDraft(input: { title: $title }) { id } }';
    const { id } = await ask<{ id: string }>(origin, create, { title });
    ids.push(id);
    if (title === 'three') continue;
    const assign = 'mutation ($id: ID!, $w: ID!) { assignWorker(contractId: $id, workerId: $w) { updatedAt } }';
    await ask(origin, assign, { id, w: worker.id });
  }
  await ask(origin, 'mutation ($id: ID!) { deleteContract(id: $id) { id } }', { id: ids[1] });
  const list = (since: string) =>
    ask<Listed>(
      origin,
      'query ($since: Timestamp!) { contracts(updatedSince: $since, includeDeleted: true) { nodes { id updatedAt worker { name } } } }',
      { since },
    );
  const before = await list('1970-01-01T00:00:00Z');
  const seen = before.nodes.at(-1)!.updatedAt;
  await ask(origin, UPDATE, { id: worker.id, email: 'new@example.com' });
  expect((await list(seen)).nodes).toHaveLength(1);
  await ask(origin, UPDATE, { id: worker.id, name: 'Wanda Weber' });
  const changed = (await list(seen)).nodes.filter(({ updatedAt }) => updatedAt > seen);
  expect(changed.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[1]].toSorted());
  expect(changed.every((contract) => contract.worker.name === 'Wanda Weber')).toBe(true);
  expect((await contracts.audited(origin.actor.workspaceId)).at(-1)).toMatchObject({
    action: 'worker.updated',
    subjectId: worker.id,
    change: { from: { name: 'Wanda' }, to: { name: 'Wanda Weber', email: 'new@example.com' } },
  });
});

it.each([
  ['name', { name: ' ' }],
  ['name', { name: 'n'.repeat(201) }],
  ['name', { name: 'a\0' }],
  ['email', { email: 'nobody' }],
])('refuses a bad %s: %j', async (path, change) => {
  const origin = staff();
  const { id } = await ask<{ id: string }>(origin, REGISTER, { name: 'Wanda' });
  const { errors } = await contracts.graphql(origin, UPDATE, { id, ...change });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] });
});

it('workers are listed newest first, page by page, and found only in their own workspace', async () => {
  const origin = staff();
  for (const name of ['a', 'b', 'c']) await ask(origin, REGISTER, { name });
  const PAGE =
    'query ($cursor: String) { workers(limit: 2, cursor: $cursor) { nodes { id name } hasMore nextCursor } }';
  interface WorkersPage {
    nodes: { id: string; name: string }[];
    hasMore: boolean;
    nextCursor: string | null;
  }
  const first = await ask<WorkersPage>(origin, PAGE);
  const last = await ask<WorkersPage>(origin, PAGE, { cursor: first.nextCursor });
  expect([...first.nodes, ...last.nodes].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  expect([first.hasMore, last.hasMore, last.nextCursor]).toEqual([true, false, null]);
  const ONE = 'query ($id: ID!) { worker(id: $id) { name email } }';
  const { id } = first.nodes[0]!;
  expect(await ask(origin, ONE, { id })).toEqual({ name: 'c', email: 'w@example.com' });
  expect(await ask(staff(), ONE, { id })).toBeNull();
  await expect(ask(staff(), PAGE, { cursor: first.nextCursor })).rejects.toThrow('INVALID_REQUEST');
});

it('an API key can neither read nor register workers', async () => {
  const key = apiKey(newId());
  for (const query of ['{ workers { hasMore } }', `{ worker(id: "${newId()}") { name } }`]) {
    await expect(ask(key, query)).rejects.toThrow('INSUFFICIENT_SCOPE');
  }
  await expect(ask(key, REGISTER, { name: 'x' })).rejects.toThrow('INSUFFICIENT_SCOPE');
});

it('a worker is found only in its own workspace', async () => {
  const origin = staff();
  const { workspaceId } = origin.actor;
  const { id: workerId } = await ask<{ id: string }>(origin, REGISTER, { name: 'Wanda' });
  const known = (question: object) => answerWorker(contracts.em, question);
  expect(await known({ workspaceId, workerId })).toEqual({ isKnown: true });
  expect(await known({ workspaceId: newId(), workerId })).toEqual({ isKnown: false });
  expect(await known({ workspaceId, workerId: newId() })).toEqual({ isKnown: false });
  await expect(known({ workspaceId, workerId: 'x' })).rejects.toThrow(TypeError);
});

it('members can change the name of a worker; only admins the email address', async () => {
  const workspaceId = newId();
  const [member, admin] = [person(workspaceId, 'member'), person(workspaceId, 'admin')];
  const { id } = await ask<{ id: string }>(member, REGISTER, { name: 'Wanda' });
  const update = `mutation ($id: ID!, $seen: Int, $name: String, $email: String) {
    updateWorker(id: $id, expectedRevision: $seen, name: $name, email: $email) { id name email } }`;
  const renamed = await ask(member, update, { id, seen: 1, name: 'Wanda Weber', email: 'w@example.com' });
  expect(renamed).toMatchObject({ name: 'Wanda Weber' });
  const change = { id, seen: 2, email: 'attacker@evil.example' };
  await expect(ask(member, update, change)).rejects.toThrow('INSUFFICIENT_SCOPE');
  expect(await ask(admin, update, { ...change, email: 'new@example.com' })).toMatchObject({ email: 'new@example.com' });
});
