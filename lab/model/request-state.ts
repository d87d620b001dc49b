import { inOrder, keeper, replaced } from './key.ts';

export type Outcome = 'applied' | 'refused' | 'forgotten';
export type Told = Outcome | 'turned away' | 'reused' | 'nothing';

/** The row of the key, in the facade. */
interface Key {
  payload: number;
  operation: number;
}

/** What one database holds: all services are in it, and restored with it. */
export interface Held {
  key: Key | null;
  /** By operation id: what the service has recorded. */
  outcomes: readonly (Outcome | null)[];
  /** By payload. */
  drafts: readonly number[];
  /** By payload: whether a draft was made for a request that had registered its key in this database. */
  guarded: readonly boolean[];
}

/** One of the requests with the same key; some process of the facade holds it. */
export interface Request {
  /** 0 is what was sent first; each further one is what a client corrects the one before to. */
  payload: number;
  stage: 'none' | 'looking' | 'waiting' | 'refused' | 'over';
  operation: number;
  /** The call to the service is on its way, for as long as it takes, or has rolled back and is about to record its refusal. */
  call: 'none' | 'calling' | 'refusing';
  /** The history that it registered its key in. */
  began: number;
  told: Told | null;
  /** The history that it was answered in; of a call that is refusing, the one it does so in. */
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
