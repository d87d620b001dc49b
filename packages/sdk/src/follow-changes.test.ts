import fc from 'fast-check';
import { expect, it } from 'vitest';
import { followChanges, type Batch } from './follow-changes.js';
import type { Payroll } from './payroll.js';

// An in-memory service that keeps the promises of public-api.md, and a follower that is killed at any point.

type Row = Record<'id' | 'updatedAt', string> & { createdAt: string; deletedAt: string | null };
type List = 'contracts' | 'timesheets' | 'payments';
const LISTS = ['contracts', 'timesheets', 'payments'] as const;

class Service {
  tables: Record<List, Row[]> = { contracts: [], timesheets: [], payments: [] };
  milestones = new Map<string, Row[]>();
  private clock = 0;
  private ids = 0;
  /** Called after each read, so that others can write in between. */
  meanwhile: () => void = () => {};

  constructor(private readonly pageSize: number) {}

  readonly payroll = {
    getBusiness: () => this.answer({ id: 'northwind' }),
    listContracts: (query: Query) => this.answer(this.list('contracts', query)),
    listTimesheets: (query: Query) => this.answer(this.list('timesheets', query)),
    listPayments: (query: Query) => this.answer(this.list('payments', query)),
    milestones: (contractId: string) => (this.meanwhile(), (this.milestones.get(contractId) ?? []).values()),
  } as unknown as Payroll;

  now(): string {
    return `2026-11-01T00:00:00.${String(++this.clock).padStart(6, '0')}Z`;
  }

  /** Rows of one transaction have the same time. */
  add(list: List, count = 1): void {
    const updatedAt = this.now();
    for (let n = 0; n < count; n++) {
      this.tables[list].push({ id: `${list}-${++this.ids}`, updatedAt, createdAt: updatedAt, deletedAt: null });
    }
  }

  change(list: List, seed: number, more: Partial<Row> = {}): void {
    const row = this.tables[list][seed % this.tables[list].length];
    if (row) Object.assign(row, { updatedAt: this.now() }, more);
  }

  changeMilestones(seed: number): void {
    const contract = this.tables.contracts[seed % this.tables.contracts.length];
    if (!contract) return;
    const kept = this.milestones.get(contract.id) ?? [];
    if (seed % 3 === 0) kept.pop();
    else kept.push({ id: `milestone-${++this.ids}`, updatedAt: this.now(), createdAt: '', deletedAt: null });
    this.milestones.set(contract.id, kept);
  }

  copy(): () => void {
    const then = structuredClone({ tables: this.tables, milestones: this.milestones });
    return () => Object.assign(this, structuredClone(then));
  }

  private answer<T>(value: T): Promise<T> {
    const answer = structuredClone(value);
    this.meanwhile();
    return Promise.resolve(answer);
  }

  private list(list: List, { updatedSince, cursor, limit = 50 }: Query) {
    const key = ({ updatedAt, createdAt, id }: Row): string => (updatedSince ? updatedAt : createdAt) + id;
    const order = updatedSince ? 1 : -1;
    const rows = this.tables[list].toSorted((one, other) => (key(one) < key(other) ? -order : order));
    const wanted = rows.filter((row) => {
      if (cursor !== undefined) return updatedSince ? key(row) > cursor : key(row) < cursor;
      return updatedSince === undefined || row.updatedAt >= updatedSince;
    });
    const data = wanted.slice(0, Math.min(limit, this.pageSize));
    const hasMore = data.length < wanted.length;
    return { data, hasMore, nextCursor: hasMore ? key(data.at(-1)!) : null };
  }
}

interface Query {
  updatedSince?: string;
  cursor?: string;
  limit?: number;
}

/** Rows and state, changed together as in one database transaction. */
class Follower {
  private kept = {
    rows: new Map<string, { row: unknown; epoch: string; kind: string }>(),
    state: null as string | null,
  };
  restarts = 0;

  constructor(private readonly service: Service) {}

  /** Runs until nothing is left, or for this many steps: then it is killed, before or after it has stored the batch. */
  async follow(steps = Infinity, isLastStored = true): Promise<void> {
    let left = steps;
    const batches = followChanges(this.service.payroll, { state: this.kept.state, readsPerMinute: Infinity });
    for await (const batch of batches) {
      if (--left > 0 || isLastStored) this.store(batch);
      if (left <= 0) return;
    }
  }

  rowsOf(kind: string): unknown[] {
    const found = [...this.kept.rows.values()].filter((one) => one.kind === kind).map(({ row }) => row);
    return found.toSorted((one, other) => ((one as Row).id < (other as Row).id ? -1 : 1));
  }

  private store(batch: Batch): void {
    const rows = new Map(this.kept.rows);
    const { epoch, kind } = batch;
    if (kind === 'listed')
      for (const [id, one] of rows) if (one.kind === batch.of && one.epoch !== epoch) rows.delete(id);
    if (kind === 'milestones') for (const [id, { row }] of rows) if (isOf(row, batch.contractId)) rows.delete(id);
    if (kind === 'restarted') this.restarts++;
    if ('items' in batch) {
      for (const item of batch.items) {
        const row = kind === 'milestones' ? { ...item, of: batch.contractId } : item;
        rows.set(item.id, { row, epoch, kind });
      }
    }
    this.kept = { rows, state: batch.state };
  }
}

const isOf = (row: unknown, contractId: string): boolean => (row as { of?: string }).of === contractId;

const byId = (rows: Row[]): Row[] => rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));

function expectEqual(follower: Follower, service: Service): void {
  for (const list of LISTS) expect(follower.rowsOf(list)).toEqual(byId(service.tables[list]));
  const milestones = [...service.milestones].flatMap(([of, rows]) => rows.map((row) => ({ ...row, of })));
  const isThere = (of: string): boolean =>
    service.tables.contracts.some(({ id, deletedAt }) => id === of && deletedAt === null);
  // Milestones of a deleted contract are no longer requested, so kept ones stay.
  const live = (rows: unknown[]): unknown[] => rows.filter((row) => isThere((row as { of: string }).of));
  expect(live(follower.rowsOf('milestones'))).toEqual(live(byId(milestones as unknown as Row[])));
}

const write = fc.record({
  list: fc.constantFrom(...LISTS),
  seed: fc.nat(1000),
  what: fc.constantFrom('add', 'add', 'many', 'change', 'change', 'delete', 'milestones'),
});
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

function apply(service: Service, { list, seed, what }: Write): void {
  if (what === 'add') service.add(list);
  else if (what === 'many') service.add(list, 7);
  else if (what === 'change') service.change(list, seed);
  else if (what === 'milestones') service.changeMilestones(seed);
  else service.change('contracts', seed, { deletedAt: 'now' });
}

const script = fc.record({
  pageSize: fc.integer({ min: 1, max: 5 }),
  first: fc.array(write, { maxLength: 20 }),
  meanwhile: fc.array(write, { maxLength: 40 }),
  kills: fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 6 }),
  later: fc.array(write, { maxLength: 4 }),
});

it('ends with the state of full listings, although it is killed anywhere while others write', async () => {
  const property = fc.asyncProperty(script, async ({ pageSize, first, meanwhile, kills, later }) => {
    const service = new Service(pageSize);
    for (const one of first) apply(service, one);
    const left = [...meanwhile];
    service.meanwhile = () => void (left.length > 0 && apply(service, left.shift()!));
    const follower = new Follower(service);
    for (const kill of kills) await follower.follow(...kill);
    while (left.length > 0) await follower.follow();
    await follower.follow();
    expectEqual(follower, service);
    for (const one of later) {
      apply(service, one);
      await follower.follow();
      expectEqual(follower, service);
    }
    expect(follower.restarts).toBe(0);
  });
  await fc.assert(property, { numRuns: 300 });
});

it('starts over after the service was restored, and deletes rows that no longer exist', async () => {
  const property = fc.asyncProperty(script, fc.array(write, { minLength: 1 }), async (made, lost) => {
    const service = new Service(made.pageSize);
    for (const one of made.first) apply(service, one);
    const restore = service.copy();
    for (const one of lost) apply(service, one);
    service.add('payments');
    const follower = new Follower(service);
    await follower.follow();
    restore();
    for (const one of made.meanwhile) apply(service, one);
    for (const kill of made.kills) await follower.follow(...kill);
    await follower.follow();
    // A follower that is killed while it starts over gets the restart before it stores it, perhaps twice.
    expect(follower.restarts).toBeGreaterThanOrEqual(1);
    expectEqual(follower, service);
  });
  await fc.assert(property, { numRuns: 300 });
});

it('yields only changed rows, and keeps a small state', async () => {
  const service = new Service(5);
  for (let n = 0; n < 40; n++) service.add('contracts');
  const batches = async (state: string | null): Promise<Batch[]> => {
    const found: Batch[] = [];
    for await (const batch of followChanges(service.payroll, { state, hasMilestones: () => false })) found.push(batch);
    return found;
  };
  const all = await batches(null);
  expect(all.filter(({ kind }) => kind === 'contracts').length).toBe(8);
  const { state } = all.at(-1)!;
  expect(state.length).toBeLessThan(1000);
  service.change('contracts', 3);
  const [changed, ...more] = await batches(state);
  expect(changed).toMatchObject({ kind: 'contracts', items: [{ id: 'contracts-4' }] });
  expect([more, await batches(changed!.state)]).toEqual([[], []]);
});

it('refuses the state of another workspace', async () => {
  const service = new Service(5);
  service.add('payments');
  const first = await followChanges(service.payroll).next();
  const state = (first.value as Batch).state.replace('northwind', 'acme');
  await expect(followChanges(service.payroll, { state }).next()).rejects.toThrow('is of workspace acme');
});
