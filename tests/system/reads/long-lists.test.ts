import type { ServiceName } from '@payroll/kernel';
import { migrate, openDatabase, type Schema } from '@payroll/store';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractsSchema } from '../../../services/contracts/src/store/schema.js';
import { paymentsSchema } from '../../../services/payments/src/store/schema.js';
import { reviewSchema } from '../../../services/review/src/store/schema.js';
import { workspacesSchema } from '../../../services/workspaces/src/store/schema.js';
import { recordReads, type Statement } from '@payroll/tools/local/read-rows';
import { createDatabase, startTestBackends } from '@payroll/tools/local/test-server';
import { choicesOf, lists, type EntityManager, type List } from './long-lists/lists.js';
import { blocksOf, planOf, stepsOf } from './long-lists/plan.js';
import { fill, ROWS, WORKSPACE } from './long-lists/rows.js';

const SCHEMAS: Readonly<Record<ServiceName, Schema>> = {
  contracts: contractsSchema,
  review: reviewSchema,
  payments: paymentsSchema,
  workspaces: workspacesSchema,
};
const PAGE = 100;
const PAGES = ROWS / PAGE;

/** These filters select one entity: its few rows are found by its index and may then be sorted. */
const NAMES_ONE_THING = ['externalReference', 'workerId', 'paymentId'];

const stack = new AsyncDisposableStack();
const recorded = {} as Record<ServiceName, { em: EntityManager; reads: Statement[] }>;
const clients = {} as Record<ServiceName, Client>;

beforeAll(async () => {
  const { backends } = stack.use(await startTestBackends());
  const { ownerUrl, urls } = await createDatabase(backends, 'long_lists');
  for (const [service, schema] of Object.entries(SCHEMAS) as [ServiceName, Schema][]) {
    await migrate(schema, ownerUrl);
    const orm = stack.adopt(await openDatabase(schema, urls[service]), (open) => open.close());
    recorded[service] = recordReads(orm.em.fork());
    clients[service] = await connect(urls[service]);
  }
  await fill(await connect(Object.assign(new URL(backends.adminUrl), { pathname: new URL(ownerUrl).pathname }).href));
}, 120_000);
afterAll(() => stack.disposeAsync());

async function connect(url: string): Promise<Client> {
  const client = stack.adopt(new Client(url), (open) => open.end());
  await client.connect();
  return client;
}

/** Reads a page and returns the statement that was sent for it. */
async function read({ service, page }: List, filters: object, cursor: string | null) {
  const { em, reads } = recorded[service];
  reads.length = 0;
  const startedAt = performance.now();
  const { nextCursor, nodes } = await page(em, filters, { limit: PAGE, cursor });
  return { nextCursor, count: nodes.length, ms: performance.now() - startedAt, statement: reads[0]! };
}

describe.each(lists)('a page of $name', (list) => {
  it.each(choicesOf(list.filters))('with %j is read from an index in list order', async (filters) => {
    const first = await read(list, filters, null);
    expect(first.count).toBeGreaterThan(0);
    const next = first.nextCursor && (await read(list, filters, first.nextCursor));
    for (const { statement } of next ? [first, next] : [first]) {
      const steps = stepsOf(await planOf(clients[list.service], statement));
      const mayBeSorted = NAMES_ONE_THING.some((name) => name in filters);
      const allowed = [
        'Limit',
        'Result',
        'Nested Loop',
        'Index Scan',
        'Index Only Scan',
        ...(mayBeSorted ? ['Sort'] : []),
      ];
      expect(
        steps.filter((step) => !allowed.includes(step)),
        statement.text,
      ).toEqual([]);
      expect(statement.values).toContain(WORKSPACE);
    }
  });
});

const ofV1 = lists.filter(({ name }) => ['contracts', 'timesheets', 'payments'].includes(name));
const long = ofV1.flatMap((list) => {
  const all = list.name === 'contracts' ? { includeDeleted: true } : {};
  return [
    { list, order: 'newest first', filters: all },
    { list, order: 'oldest change first', filters: { ...all, updatedSince: '2026-01-01T00:00:00Z' } },
  ];
});

it.each(long)(
  'page 2,000 of $list.name, $order, costs what page 1 costs',
  { timeout: 60_000 },
  async ({ list, order, filters }) => {
    const pages: Awaited<ReturnType<typeof read>>[] = [];
    for (let cursor: string | null = null; pages.length < PAGES; cursor = pages.at(-1)!.nextCursor) {
      expect(pages.length === 0 || cursor !== null).toBe(true);
      pages.push(await read(list, filters, cursor));
    }
    expect(pages.reduce((sum, { count }) => sum + count, 0)).toBe(ROWS);
    const blocks = async (n: number) => blocksOf(await planOf(clients[list.service], pages[n]!.statement));
    // The first page has no position to compare with, so take the second.
    const [early, late] = [await blocks(1), await blocks(PAGES - 1)];
    const ratio = median(pages.slice(-50)) / median(pages.slice(1, 51));
    console.info(`${list.name}, ${order}: page 2,000 / page 1: time ×${ratio.toFixed(2)}, blocks ${late} / ${early}`);
    expect(late).toBeLessThanOrEqual(early * 1.5);
  },
);

function median(pages: readonly { ms: number }[]): number {
  return pages.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(pages.length / 2)]!;
}
