import { hash } from 'node:crypto';
import { canonicalJson, isInstant, newId } from '@payroll/kernel';
import { columns, Keyset, read, sql, type Page, type PageRequest } from '@payroll/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestDatabase, thingSchema, ThingTable } from './databases.js';

const COUNT = 120;
const SINCE = '1970-01-01T00:00:00Z';
const orders = [
  ['newest first', null],
  ['oldest change first', SINCE],
] as const;

const database = await TestDatabase.open('store_keyset', thingSchema);
const em = await database.process();
afterAll(() => database[Symbol.asyncDispose]());

/** Five things at each microsecond; the last created was the first to change. */
async function add(workspaceId: string, count = COUNT, from = 0): Promise<string[]> {
  const fork = em.fork();
  const things = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    workspaceId,
    name: `${index}`,
    createdAt: at(from + Math.floor(index / 5)),
    updatedAt: at(999_000 - from - Math.floor(index / 5)),
  }));
  await fork.insertMany(ThingTable, things);
  return things.map(({ id }) => id);
}

function at(microsecond: number): string {
  return `2026-03-01T12:00:00.${String(microsecond).padStart(6, '0')}Z`;
}

async function list(request: PageRequest): Promise<Page<string>> {
  const keyset = new Keyset(request);
  const things = sql`select ${columns(ThingTable, 'id', 'createdAt', 'updatedAt')} from thing`;
  return keyset.page(await read(em, keyset.statement(things, 'thing')), ({ id }) => id);
}

async function visit(
  request: PageRequest,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page<string> = await list({ ...request, cursor });
    seen.push(...page.nodes);
    expect(page.nextCursor !== null).toBe(page.hasMore);
    if (page.nextCursor === null) return seen;
    expect(page.nodes).toHaveLength(request.limit);
    cursor = page.nextCursor;
    await between();
  }
}

describe.each(orders)('%s', (_name, updatedSince) => {
  it.each([1, 7, 100])(
    'pages of %i visit every row exactly once, in order, even at equal microseconds',
    async (limit) => {
      const workspaceId = newId();
      const ids = await add(workspaceId);
      const seen = await visit({ list: 'things', workspaceId, filters: {}, limit, updatedSince });
      expect(seen.toSorted()).toEqual(ids.toSorted());
      const whole = await em.find(
        ThingTable,
        { workspaceId },
        { orderBy: updatedSince ? { updatedAt: 'asc', id: 'asc' } : { createdAt: 'desc', id: 'desc' } },
      );
      expect(seen).toEqual(whole.map(({ id }) => id));
    },
  );

  it.each([1, 7, 100])('rows added between pages of %i move no other row into or out of them', async (limit) => {
    const workspaceId = newId();
    const ids = await add(workspaceId);
    let count = COUNT;
    // Before the first page, in either order.
    const seen = await visit({ list: 'things', workspaceId, filters: {}, limit, updatedSince }, () =>
      add(workspaceId, 5, (count += 5)),
    );
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
});

it('a full last page has no next cursor', async () => {
  const workspaceId = newId();
  await add(workspaceId, 10);
  expect(await list({ list: 'things', workspaceId, filters: {}, limit: 10 })).toMatchObject({
    hasMore: false,
    nextCursor: null,
  });
  expect(await list({ list: 'things', workspaceId: newId(), filters: {}, limit: 10 })).toEqual({
    nodes: [],
    hasMore: false,
    nextCursor: null,
  });
});

it('updatedSince is inclusive to the microsecond', async () => {
  const workspaceId = newId();
  await add(workspaceId, 10);
  const since = (updatedSince: string) => list({ list: 'things', workspaceId, filters: {}, limit: 100, updatedSince });
  expect((await since(at(998_999))).nodes).toHaveLength(10);
  expect((await since(at(999_000))).nodes).toHaveLength(5);
  expect((await since(at(999_001))).nodes).toHaveLength(0);
});

it('ids narrow a list to rows of the workspace, and a malformed one matches no row', async () => {
  const workspaceId = newId();
  const [first, second, third] = await add(workspaceId, 4);
  const [foreign] = await add(newId(), 1);
  const some = (ids: string[], limit = 10) => list({ list: 'things', workspaceId, filters: {}, limit, ids });
  const found = await some([third!, first!.toUpperCase(), foreign!, newId(), 'x']);
  expect(found.nodes.toSorted()).toEqual([first, third].toSorted());
  expect((await some([])).nodes).toEqual([]);
  expect(await some([first!, second!], 1)).toMatchObject({ hasMore: true });
});

describe('a cursor', () => {
  const request: PageRequest = {
    list: 'things',
    workspaceId: newId(),
    filters: { status: 'active', of: null },
    limit: 3,
  };
  let cursor: string;

  function expectRefused(changed: Partial<PageRequest>): void {
    expect(() => new Keyset({ ...request, cursor, ...changed }), JSON.stringify(changed)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', details: [{ path: 'cursor', code: 'invalid_cursor' }] }),
    );
  }

  beforeAll(async () => {
    await add(request.workspaceId, 10);
    cursor = (await list(request)).nextCursor!;
  });

  it('is valid for another limit and another order of filters', () => {
    expect(() => new Keyset({ ...request, cursor, limit: 100 })).not.toThrow();
    expect(() => new Keyset({ ...request, cursor, filters: { of: null, status: 'active' } })).not.toThrow();
  });

  it('of another list with the same filters is refused', () => {
    expectRefused({ list: 'others' });
  });

  it('of other filters, another workspace or another order is refused', () => {
    expectRefused({ filters: { status: 'ended', of: null } });
    expectRefused({ filters: { status: 'active' } });
    expectRefused({ ids: [newId()] });
    expectRefused({ workspaceId: newId() });
    expectRefused({ updatedSince: SINCE });
  });

  it('altered in any single character is refused', () => {
    for (let index = 0; index < cursor.length; index++) {
      for (const character of 'Aaz09-_') {
        if (cursor[index] === character) continue;
        expectRefused({ cursor: cursor.slice(0, index) + character + cursor.slice(index + 1) });
      }
      expectRefused({ cursor: cursor.slice(0, index) + cursor.slice(index + 1) });
    }
  });

  it('in another spelling of the same bytes is refused', () => {
    expectRefused({ cursor: `${cursor}=` });
    expectRefused({ cursor: `${cursor}\n` });
    expectRefused({ cursor: ` ${cursor}` });
    expectRefused({ cursor: `${cursor.slice(0, 8)}.${cursor.slice(8)}` });
    const spaced = JSON.stringify(JSON.parse(Buffer.from(cursor, 'base64url').toString()), null, 1);
    expectRefused({ cursor: Buffer.from(spaced).toString('base64url') });
  });

  it.each(['0000-01-01T00:00:00.000000Z', '2027-01-01T00:00:00Z', `2027-01-01T00:00:00.${'0'.repeat(1_200)}Z`])(
    'that was made up for a time that no row has is refused: %s',
    (at) => {
      const id = newId();
      const { list: name, workspaceId, filters } = request;
      const place = canonicalJson([name, workspaceId, filters, null, at, id]);
      const digest = hash('sha256', place, 'base64url').slice(0, 16);
      expectRefused({ cursor: Buffer.from(JSON.stringify([digest, at, id])).toString('base64url') });
    },
  );

  it.each(['x', '!!', 'null', '[]', '[1,2,3]', '{}', '"text"', '["a","b"]', '[null,null,null]', '\u0000'])(
    'that is garbage is refused: %j',
    (text) => {
      expectRefused({ cursor: text });
      expectRefused({ cursor: Buffer.from(text).toString('base64url') });
    },
  );

  it('contains its moment with microseconds', () => {
    const [, moment] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    expect(isInstant(moment)).toBe(true);
    expect(moment).toMatch(/\.\d{6}Z$/);
  });
});

it('a limit is a whole number from 1 to 100', () => {
  const withLimit = (limit: number) => new Keyset({ list: 'things', workspaceId: newId(), filters: {}, limit });
  for (const limit of [1, 50, 100]) expect(() => withLimit(limit)).not.toThrow();
  for (const limit of [0, -1, 101, 1.5, Number.NaN, Infinity]) {
    expect(() => withLimit(limit), String(limit)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', details: [{ path: 'limit', code: 'out_of_range' }] }),
    );
  }
});
