import { pause } from './pace.js';
import type { Payroll } from './payroll.js';
import { begin, readState, writeState, type Place, type State } from './state.js';
import type { ContractSummary, Milestone, Page, Payment, Timesheet } from './shapes.js';

interface Kept {
  /** To be stored with what the batch changes, in the same transaction; given back, it goes on from there. */
  state: string;
  /** Marks every row of this start. A new one begins with another, when the service's database is not the one it was. */
  epoch: string;
}

/** What changed: to be written over what is kept under the same id. A batch may come twice, and is the same then. */
export type Batch = Kept &
  (
    | { kind: 'contracts'; items: ContractSummary[] }
    | { kind: 'timesheets'; items: Timesheet[] }
    | { kind: 'payments'; items: Payment[] }
    /** All that the contract has: one that is kept and not among them is gone. */
    | { kind: 'milestones'; contractId: string; items: Milestone[] }
    /** Everything of a kind has come once: what is kept of it with another epoch is gone. */
    | { kind: 'listed'; of: Followed }
    /** What had been received last is not there any more: the service was restored. Everything comes again, with a new epoch. */
    | { kind: 'restarted' }
  );

export type Followed = 'contracts' | 'timesheets' | 'payments' | 'milestones';

export interface FollowOptions {
  /** The state of the last stored batch; null to start. */
  state?: string | null;
  /** Looks again so long after everything was seen, in milliseconds, until the signal is aborted. Without, it ends there. */
  everyMs?: number;
  signal?: AbortSignal;
  /** Whose milestones are scanned: of every contract that is not deleted, unless told. */
  hasMilestones?: (contract: ContractSummary) => boolean;
  /** Of the scan for milestones, which the API lists by contract only: 300 unless told, half of what a principal may. */
  readsPerMinute?: number;
}

/** Deletions of contracts come as contracts with `deletedAt`. */
const LISTS = ['contracts', 'timesheets', 'payments'] as const;
type List = (typeof LISTS)[number];
type Listed = ContractSummary | Timesheet | Payment;

const LIMIT = 100;

/**
 * Everything of the workspace once, then what changes, in batches that are never lost: each comes again until its state is
 * stored. Contracts, timesheets and payments come by `updatedSince`, milestones by a scan.
 * @throws what a read throws that cannot be tried again, and the reason of an aborted signal: go on from the stored state.
 */
export async function* followChanges(payroll: Payroll, options: FollowOptions = {}): AsyncGenerator<Batch, void> {
  const { state: stored = null, everyMs, signal } = options;
  const { id: workspaceId } = await payroll.getBusiness(signal && { signal });
  let state = stored === null ? begin(workspaceId) : readState(stored, workspaceId);
  for (;;) {
    const scanUntil = performance.now() + (everyMs ?? Infinity);
    const round = followRound(payroll, state, options, scanUntil);
    for (let next = await round.next(); ; next = await round.next()) {
      if (next.done) {
        state = next.value;
        break;
      }
      yield next.value;
    }
    if (everyMs === undefined) return;
    await pause(scanUntil - performance.now(), signal);
  }
}

/** Looks at each list to its end, and at milestones as long as there is time. Returns the state that it ends in. */
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
 * The place after a page. `updatedSince` is inclusive and items only move to later places, so the last one of the round
 * before has to come again in this round; where it does not, the service's database has been set back.
 */
function advance(place: Place, page: Page<Listed>): { next: Place; isLost: boolean } {
  const last = page.data.at(-1) ?? place.last;
  const owed = page.data.some(({ id }) => id === place.owed) ? null : place.owed;
  if (page.nextCursor !== null)
    return { next: { ...place, cursor: page.nextCursor, last: spot(last), owed }, isLost: false };
  const since = last?.updatedAt ?? place.since;
  return { next: { ...place, since, cursor: null, last: spot(last), owed: last?.id ?? null }, isLost: owed !== null };
}

const spot = (item: Place['last']): Place['last'] => item && { id: item.id, updatedAt: item.updatedAt };

function isSame(item: Listed, last: Place['last']): boolean {
  return item.id === last?.id && item.updatedAt === last.updatedAt;
}

/**
 * Every contract once, newest first, from where the scan before has left off and round to there; one that is made meanwhile
 * is for the next scan. So what was there when it began has been seen when it ends, however often it is begun anew.
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
  for (let isRound = last === null; ;) {
    const { cursor, after, isListed } = state.milestones;
    const query = { includeDeleted: 'true', limit: LIMIT, ...(cursor !== null && { cursor }) } as const;
    const page = await payroll.listContracts(query, waiting);
    const start = page.data.findIndex(({ id }) => id === after) + 1;
    for (const contract of page.data.slice(start).filter((each) => each.deletedAt === null && hasMilestones(each))) {
      await pause(60_000 / readsPerMinute, signal);
      const items = await all(payroll.milestones(contract.id, { limit: LIMIT }, waiting));
      state = { ...state, milestones: { ...state.milestones, after: contract.id } };
      yield { kind: 'milestones', contractId: contract.id, items, ...kept(state) };
      if (performance.now() > until || (isRound && contract.id === last)) return state;
    }
    state = { ...state, milestones: { ...state.milestones, cursor: page.nextCursor, after: null } };
    if (page.nextCursor !== null) continue;
    if (!isListed) {
      state = { ...state, milestones: { ...state.milestones, isListed: true } };
      yield { kind: 'listed', of: 'milestones', ...kept(state) };
    }
    if (isRound) return state;
    isRound = true;
  }
}

const kept = (state: State): Kept => ({ state: writeState(state), epoch: state.epoch });

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
