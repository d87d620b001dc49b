import { inOrder, keeper, replaced } from './search.ts';

export type Outcome = 'applied' | 'refused' | 'forgotten';
export type Told = Outcome | 'turned away' | 'reused' | 'nothing';

/** The row of the key, in the facade. */
interface Key {
  payload: number;
  operation: number;
}

/** The content of one database: all services share it, and are restored together. */
export interface Held {
  key: Key | null;
  /** By operation id: the outcome that the service has recorded. */
  outcomes: readonly (Outcome | null)[];
  /** By payload. */
  drafts: readonly number[];
  /** By payload: whether a draft was made for a request that had registered its key in this database. */
  guarded: readonly boolean[];
}

/** One of the requests with the same key, handled by any process of the facade. */
export interface Request {
  /** 0 is the first payload; each further one is the client's correction of the one before. */
  payload: number;
  stage: 'none' | 'looking' | 'waiting' | 'refused' | 'over';
  operation: number;
  /**
   * The call to the service is in flight, for any length of time, or has rolled back and is about to record its
   * refusal.
   */
  call: 'none' | 'calling' | 'refusing';
  /** The database in which it registered its key. */
  began: number;
  told: Told | null;
  /** The database in which it was answered; for a call that is refusing, the one in which it does so. */
  history: number;
}

export interface State {
  databases: readonly (Held | null)[];
  copy: Held | null;
  operations: number;
  isAllowed: boolean;
  changesLeft: number;
  requests: readonly Request[];
}

const FRESH: Request = {
  payload: 0,
  stage: 'none',
  operation: 0,
  call: 'none',
  began: -1,
  told: null,
  history: -1,
};

const keepRequest = keeper<Request>();
const keepHeld = keeper<Held>();

const fresh = (count: number, payload: number): Request[] =>
  Array.from({ length: count }, () => keepRequest({ ...FRESH, payload }));

export function startOf({ copies, changes }: { copies: readonly number[]; changes: number }): State {
  const [drafts, guarded] = [copies.map(() => 0), copies.map(() => false)];
  return {
    databases: [keepHeld({ key: null, outcomes: [], drafts, guarded })],
    copy: null,
    operations: copies.length,
    isAllowed: true,
    changesLeft: changes,
    requests: copies.flatMap(fresh),
  };
}

export function canonical(state: State): State {
  return { ...state, requests: inOrder(state.requests) };
}

/** The client's last retry, after a while. */
export function healed(state: State): State {
  const newest = state.databases.length - 1;
  const databases = state.databases.map((held, history) => (history === newest ? held : null));
  return { ...state, databases, copy: null, requests: fresh(1, 0) };
}

/** The databases that a connection may reach. */
export function* reachable({ databases }: State): Generator<[history: number, held: Held]> {
  for (const [history, held] of databases.entries()) if (held) yield [history, held];
}

export function withRequest(state: State, n: number, changes: Partial<Request>): State {
  return { ...state, requests: replaced(state.requests, n, keepRequest({ ...state.requests[n]!, ...changes })) };
}

export function withHeld(state: State, history: number, changes: Partial<Held>): State {
  const held = keepHeld({ ...state.databases[history]!, ...changes });
  return { ...state, databases: replaced<Held | null>(state.databases, history, held) };
}

export function withOutcome({ outcomes }: Held, operation: number, outcome: Outcome): readonly (Outcome | null)[] {
  const places = Math.max(outcomes.length, operation + 1);
  return Array.from({ length: places }, (_, n) => (n === operation ? outcome : (outcomes[n] ?? null)));
}
