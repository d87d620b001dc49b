import { pause } from './sender.js';
import type { Payroll } from './payroll.js';
import type { ContractSummary, Milestone, Page, Payment, Timesheet } from './shapes.js';

interface Kept {
  /** Store it in the same transaction as the batch. Pass it to `followChanges` to continue after this batch. */
  state: string;
  /** Store it with every row. It changes when everything is sent again because the service was restored. */
  epoch: string;
}

/** A batch of changes. Replace the stored rows of the same ids. A batch can be repeated, with the same content. */
export type Batch = Kept &
  (
    | { kind: 'contracts'; items: ContractSummary[] }
    | { kind: 'timesheets'; items: Timesheet[] }
    | { kind: 'payments'; items: Payment[] }
    /** All milestones of the contract: delete stored ones that are not among them. */
    | { kind: 'milestones'; contractId: string; items: Milestone[] }
    /** Every item of a kind has been sent once: delete stored ones with another epoch. */
    | { kind: 'listed'; of: Followed }
    /** The item received last no longer exists: the service was restored. Everything is sent again, with a new epoch. */
    | { kind: 'restarted' }
  );

export type Followed = 'contracts' | 'timesheets' | 'payments' | 'milestones';

export interface FollowOptions {
  /** The state of the last stored batch; null to start. */
  state?: string | null;
  /** The pause between rounds in milliseconds, until the signal is aborted. Without it, the generator ends after one round. */
  everyMs?: number;
  signal?: AbortSignal;
  /** Contracts whose milestones are scanned. Default: all that are not deleted. */
  hasMilestones?: (contract: ContractSummary) => boolean;
  /** Limits the scan for milestones, which the API lists by contract only. Default 300, half of a principal's limit. */
  readsPerMinute?: number;
}

/** Deletions of contracts come as contracts with `deletedAt`. */
const LISTS = ['contracts', 'timesheets', 'payments'] as const;
type List = (typeof LISTS)[number];
type Listed = ContractSummary | Timesheet | Payment;

const LIMIT = 100;

/**
 * Yields every item of the workspace once and then every change, in batches. No change is lost: a batch is repeated until its
 * state is stored. Contracts, timesheets and payments are read by `updatedSince`, milestones by a scan of all contracts.
 * @throws the error of a read that cannot be retried, or the reason of an aborted signal. Continue from the stored state.
 */
export async function* followChanges(payroll: Payroll, options: FollowOptions = {}): AsyncGenerator<Batch, void> {
  const { state: stored = null, everyMs, signal } = options;
  const { id: workspaceId } = await payroll.getBusiness(signal && { signal });
  let state = stored === null ? begin(workspaceId) : readState(stored, workspaceId);
  for (;;) {
    const scanUntil = performance.now() + (everyMs ?? Infinity);
    state = yield* followRound(payroll, state, options, scanUntil);
    if (everyMs === undefined) return;
    await pause(scanUntil - performance.now(), signal);
  }
}

/** Reads each list to its end, then scans milestones until `scanUntil`. Returns the last state. */
async function* followRound(
  payroll: Payroll,
  from: State,
  options: FollowOptions,
  scanUntil: number,
): AsyncGenerator<Batch, State> {
  let state = from;
  for (const kind of LISTS) {
    do {
      const place = state[kind];
      const page = await readPage(payroll, kind, place, options.signal);
      const { next, isLost } = advance(place, page);
      if (isLost) {
        state = begin(state.workspaceId);
        yield { kind: 'restarted', ...kept(state) };
        return yield* followRound(payroll, state, options, scanUntil);
      }
      state = { ...state, [kind]: next };
      const items = page.data.filter((item) => !isSame(item, place.last));
      if (items.length > 0) yield { kind, items, ...kept(state) } as Batch;
    } while (state[kind].cursor !== null);
    if (state[kind].isListed) continue;
    state = { ...state, [kind]: { ...state[kind], isListed: true } };
    yield { kind: 'listed', of: kind, ...kept(state) };
  }
  return yield* scanMilestones(payroll, state, options, scanUntil);
}

async function readPage(payroll: Payroll, kind: List, place: Place, signal?: AbortSignal): Promise<Page<Listed>> {
  const query = { updatedSince: place.since, limit: LIMIT, ...(place.cursor !== null && { cursor: place.cursor }) };
  const waiting = signal && { signal };
  if (kind === 'contracts') return await payroll.listContracts({ ...query, includeDeleted: 'true' }, waiting);
  if (kind === 'timesheets') return await payroll.listTimesheets(query, waiting);
  return await payroll.listPayments(query, waiting);
}

/**
 * The position after a page. `updatedSince` is inclusive and items only move to later positions, so the last item of the previous
 * round must be in this round again. If it is missing, the service's database was restored to an earlier state.
 */
function advance(place: Place, page: Page<Listed>): { next: Place; isLost: boolean } {
  const last = positionOf(page.data.at(-1) ?? place.last);
  const owed = page.data.some(({ id }) => id === place.owed) ? null : place.owed;
  const next = { ...place, cursor: page.nextCursor, last };
  if (page.nextCursor !== null) return { next: { ...next, owed }, isLost: false };
  const since = last?.updatedAt ?? place.since;
  return { next: { ...next, since, owed: last?.id ?? null }, isLost: owed !== null };
}

const positionOf = (item: Place['last']): Place['last'] => item && { id: item.id, updatedAt: item.updatedAt };

function isSame(item: Listed, last: Place['last']): boolean {
  return item.id === last?.id && item.updatedAt === last.updatedAt;
}

/**
 * Scans every contract once, newest first, from the position at which the previous scan stopped and around to it. A contract
 * created meanwhile is left to the next scan. A scan that is interrupted and resumed misses no contract of its beginning.
 */
async function* scanMilestones(
  payroll: Payroll,
  from: State,
  { signal, hasMilestones = () => true, readsPerMinute = 300 }: FollowOptions,
  until: number,
): AsyncGenerator<Batch, State> {
  const waiting = signal && { signal };
  const { after: last } = from.milestones;
  let state = from;
  // A scan that begins within the list continues from its beginning, up to the position at which it began.
  let isFromBeginning = last === null;
  for (;;) {
    const { cursor, after, isListed } = state.milestones;
    const query = { includeDeleted: 'true', limit: LIMIT, ...(cursor !== null && { cursor }) } as const;
    const page = await payroll.listContracts(query, waiting);
    const start = page.data.findIndex(({ id }) => id === after) + 1;
    for (const contract of page.data.slice(start).filter((each) => each.deletedAt === null && hasMilestones(each))) {
      await pause(60_000 / readsPerMinute, signal);
      const items = await all(payroll.milestones(contract.id, { limit: LIMIT }, waiting));
      state = withScan(state, { after: contract.id });
      yield { kind: 'milestones', contractId: contract.id, items, ...kept(state) };
      if (performance.now() > until || (isFromBeginning && contract.id === last)) return state;
    }
    state = withScan(state, { cursor: page.nextCursor, after: null });
    if (page.nextCursor !== null) continue;
    if (!isListed) {
      state = withScan(state, { isListed: true });
      yield { kind: 'listed', of: 'milestones', ...kept(state) };
    }
    if (isFromBeginning) return state;
    isFromBeginning = true;
  }
}

function withScan(state: State, changes: Partial<State['milestones']>): State {
  return { ...state, milestones: { ...state.milestones, ...changes } };
}

const kept = (state: State): Kept => ({ state: writeState(state), epoch: state.epoch });

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** How far a follower has come. It is a string to callers. */
interface State {
  workspaceId: string;
  epoch: string;
  contracts: Place;
  timesheets: Place;
  payments: Place;
  milestones: { cursor: string | null; after: string | null; isListed: boolean };
}

/** In a list by `updatedSince`: only a time that was received is ever sent, to its microsecond. */
interface Place {
  since: string;
  cursor: string | null;
  /** The last item that was received. */
  last: { id: string; updatedAt: string } | null;
  /** The item that this round has still to show. */
  owed: string | null;
  isListed: boolean;
}

const BEGINNING: Place = { since: '1970-01-01T00:00:00Z', cursor: null, last: null, owed: null, isListed: false };

function begin(workspaceId: string): State {
  const milestones = { cursor: null, after: null, isListed: false };
  const places = { contracts: BEGINNING, timesheets: BEGINNING, payments: BEGINNING, milestones };
  return { workspaceId, epoch: crypto.randomUUID(), ...places };
}

/** @throws TypeError when it is of another workspace, whose rows would be mixed with those that are kept. */
function readState(text: string, workspaceId: string): State {
  const state = JSON.parse(text) as State;
  if (state.workspaceId === workspaceId) return state;
  throw new TypeError(`The stored state is of workspace ${state.workspaceId}, and the key of ${workspaceId}`);
}

const writeState = (state: State): string => JSON.stringify(state);
