import { inOrder, keeper, replaced } from './key.ts';

export type Outcome = 'applied' | 'refused' | 'forgotten';
export type Answer = Outcome | 'turned away' | 'unknown';

/** The row of the key, in the facade. */
interface Claim {
  operation: number;
  attempt: number;
  state: 'running' | 'done';
  isLapsed: boolean;
  isExpired: boolean;
}

/** What one database holds: all services are in it, and restored with it. */
export interface Held {
  claim: Claim | null;
  /** By operation id: what the service has decided. */
  outcomes: readonly (Outcome | null)[];
  drafts: number;
}

/** One of the requests with the same key and body; some process of the facade holds it. */
export interface Request {
  stage: 'none' | 'waiting' | 'answered' | 'over';
  operation: number;
  attempt: number;
  /** The call to the service is on its way, for as long as it takes: it arrives once at most. */
  isCalling: boolean;
  answer: Answer | null;
  told: Answer | 'in progress' | null;
  /** The history that it took its key in. */
  began: number;
  /** The history in which it began with the draft already there; -1 for none. */
  after: number;
  /** The history that it was answered in. */
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
  stage: 'none',
  operation: 0,
  attempt: 0,
  isCalling: false,
  answer: null,
  told: null,
  began: -1,
  after: -1,
  history: -1,
};

const keepRequest = keeper<Request>();
const keepHeld = keeper<Held>();

export function startOf({ count, changes }: { count: number; changes: number }): State {
  return {
    databases: [keepHeld({ claim: null, outcomes: [], drafts: 0 })],
    copy: null,
    operations: 0,
    isAllowed: true,
    changesLeft: changes,
    requests: Array<Request>(count).fill(keepRequest({ ...FRESH })),
  };
}

export function canonical(state: State): State {
  return { ...state, requests: inOrder(state.requests) };
}

/** The client's last retry, after a while. */
export function healed(state: State): State {
  const { claim, ...held } = state.databases.at(-1)!;
  const waited = keepHeld({ ...held, claim: claim && { ...claim, isLapsed: true } });
  const databases = state.databases.map((_, history) => (history === state.databases.length - 1 ? waited : null));
  return { ...state, databases, copy: null, requests: [keepRequest({ ...FRESH })] };
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
