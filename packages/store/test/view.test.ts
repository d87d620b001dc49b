import { newId } from '@payroll/kernel';
import { columns, defineView, list, sql, type ListRequest } from '@payroll/store';
import { afterAll, expect, it } from 'vitest';
import { TestDatabase, thingSchema, ThingTable } from './databases.js';

const things = defineView({
  list: 'things',
  table: ThingTable,
  columns: columns(ThingTable),
  toNode: ({ name }) => name,
});

const workspaceId = newId();
const madeIn = new Map<string, string>();

const database = await TestDatabase.open('store_view', thingSchema);
const em = await database.process();
for (const [place, name] of ['a', 'b', 'a', 'c'].entries()) {
  const at = `2026-03-01T12:00:00.00000${place}Z`;
  const id = newId();
  madeIn.set(`${name}${place}`, id);
  await em.fork().insertMany(ThingTable, [
    { id, workspaceId, name, createdAt: at, updatedAt: at },
    { id: newId(), workspaceId: newId(), name, createdAt: at, updatedAt: at },
  ]);
}
afterAll(() => database[Symbol.asyncDispose]());

const page = (request: Partial<ListRequest<typeof ThingTable>> = {}) =>
  list(em, things, { workspaceId, limit: 100, ...request });
const namesOf = async (request: Partial<ListRequest<typeof ThingTable>> = {}) => (await page(request)).nodes;

it('lists the rows of the workspace as readers see them, newest first', async () => {
  expect(await page()).toEqual({ nodes: ['c', 'a', 'b', 'a'], hasMore: false, nextCursor: null });
  expect(await namesOf({ oldestFirst: true })).toEqual(['a', 'b', 'a', 'c']);
  expect(await namesOf({ workspaceId: newId() })).toEqual([]);
});

it('lists the rows that match every given filter', async () => {
  expect(await namesOf({ where: { name: 'a' } })).toEqual(['a', 'a']);
  expect(await namesOf({ where: { name: null } })).toHaveLength(4);
  expect(await namesOf({ where: { name: undefined } })).toHaveLength(4);
  expect(await namesOf({ where: { name: 'a', id: madeIn.get('a2')! } })).toEqual(['a']);
  expect(await namesOf({ where: { name: 'b', id: madeIn.get('a2')! } })).toEqual([]);
  expect(await namesOf({ where: { name: '' } })).toEqual([]);
});

it('finds no row for a malformed id, and compares any other text as it is', async () => {
  expect(await page({ where: { id: 'x' } })).toEqual({ nodes: [], hasMore: false, nextCursor: null });
  expect(await namesOf({ where: { name: 'no id' } })).toEqual([]);
  expect(await namesOf({ where: { id: madeIn.get('b1')!.toUpperCase() } })).toEqual(['b']);
});

it('applies extra conditions, and leaves out those not given', async () => {
  const conditions = [sql`thing.name <> ${'c'}`, null, undefined, false, ''] as const;
  expect(await namesOf({ conditions })).toEqual(['a', 'b', 'a']);
  expect(await namesOf({ where: { name: 'a' }, conditions: [sql`thing.id <> ${madeIn.get('a0')!}`] })).toEqual(['a']);
});

it('a cursor is bound to its filters; an absent filter and a null one are the same', async () => {
  const { nextCursor: cursor } = await page({ limit: 1, where: { name: 'a' }, filters: { to: 'x' } });
  const next = (request: Partial<ListRequest<typeof ThingTable>>) => page({ limit: 1, cursor, ...request });
  const same = { nodes: ['a'], hasMore: false };
  expect(await next({ where: { name: 'a' }, filters: { to: 'x' } })).toMatchObject(same);
  await expect(next({ where: { name: 'a' } })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(next({ where: { name: 'c' }, filters: { to: 'x' } })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const turned = { where: { name: 'a' }, filters: { to: 'x' }, oldestFirst: true };
  await expect(next(turned)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const open = await page({ limit: 1, where: { name: undefined } });
  expect(await page({ limit: 1, cursor: open.nextCursor, where: { name: null } })).toMatchObject({ nodes: ['a'] });
});
