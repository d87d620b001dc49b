import type { Faults, StepName } from './names.ts';
import {
  type Outcome,
  type State,
  type Told,
  canonical,
  healed,
  reachable,
  startOf,
  withHeld,
  withOutcome,
  withRequest,
} from './request-state.ts';
import { type Protocol, type Step, replaced } from './search.ts';
import { historyOf } from './world.ts';

export interface RequestBounds {
  /** Requests with the same key, by their payload. */
  copies: readonly number[];
  histories: number;
  /** How often the permission to write is switched. */
  changes: number;
  faults: Faults;
}

type Steps = Generator<Step<State>>;

/** A write that only its key protects from being applied twice: a draft without an external reference. */
export function requests(bounds: RequestBounds): Protocol<State> {
  return {
    start: startOf(bounds),
    steps: (state) => steps(state, bounds),
    canonical,
    healed,
    broken,
    goesOn: new Set<StepName>(['register key', 'look up key', 'decide operation', 'record refusal', 'free key']),
    unfinished,
  };
}

function* steps(state: State, bounds: RequestBounds): Steps {
  for (const [n, request] of state.requests.entries()) {
    for (const history of state.databases.keys()) {
      if (state.databases[history] === null) continue;
      const at = { n, history, faults: bounds.faults };
      if (request.stage === 'none' && isSent(state, n)) yield registering(state, at);
      if (request.stage === 'looking') yield lookingUp(state, at);
      if (request.call === 'calling') yield* calling(state, at);
      if (request.call === 'refusing' && request.history === history) yield recording(state, at);
      if (request.stage === 'refused') yield* freeing(state, at);
    }
    if (request.stage !== 'waiting') continue;
    yield {
      name: 'lose answer',
      next: withRequest(state, n, { stage: 'over', told: 'nothing' }),
      words: () => `request ${n + 1} is given up, or its facade dies; its call may still arrive`,
    };
  }
  yield* surroundings(state, bounds.histories);
}

/** A client corrects a refused request, and repeats an unanswered one. */
function isSent({ requests: all }: State, n: number): boolean {
  const isRefused = (told: Told | null): boolean => told === 'refused' || told === 'turned away';
  const before = all[n]!.payload - 1;
  return before < 0 || all.some(({ payload, told }) => payload === before && isRefused(told));
}

interface At {
  /** The index of the request. */
  n: number;
  /** The database that the connection reaches. */
  history: number;
  faults: Faults;
}

const nameOf = ({ requests: all }: State, n: number): string =>
  `request ${n + 1}${[' ', ' (corrected)', ' (corrected twice)'][all[n]!.payload]!.trimEnd()}`;

/** The insert that does nothing on conflict. */
function registering(state: State, { n, history, faults }: At): Step<State> {
  const name = 'register key';
  const { payload } = state.requests[n]!;
  const who = nameOf(state, n);
  if (state.databases[history]!.key !== null) {
    const next = withRequest(state, n, { stage: 'looking' });
    return { name, next, words: () => `${who} finds its key in use, in ${historyOf(history)}` };
  }
  const isMadeUp = faults.has('id-made-up');
  const operation = isMadeUp ? state.operations : payload;
  const counted = { ...state, operations: state.operations + (isMadeUp ? 1 : 0) };
  const next = called(withHeld(counted, history, { key: { payload, operation } }), n, history, operation);
  const words = (): string =>
    `${who} registers its key in ${historyOf(history)}, and calls the service with operation ${operation + 1}`;
  return { name, next, words };
}

/** The select after it. */
function lookingUp(state: State, { n, history }: At): Step<State> {
  const name = 'look up key';
  const { key } = state.databases[history]!;
  const { payload } = state.requests[n]!;
  const who = nameOf(state, n);
  if (key === null) {
    const next = withRequest(state, n, { stage: 'none' });
    return { name, next, words: () => `${who} finds it free by now, and begins again` };
  }
  if (key.payload !== payload) {
    const next = withRequest(state, n, { stage: 'over', told: 'reused', history });
    return { name, next, words: () => `${who} is told that its key was used for another request` };
  }
  const { operation } = key;
  const words = (): string =>
    `${who} finds that the key is its own, and calls the service with operation ${operation + 1}`;
  return { name, next: called(state, n, history, operation), words };
}

function called(state: State, n: number, history: number, operation: number): State {
  return withRequest(state, n, { stage: 'waiting', call: 'calling', began: history, operation });
}

/**
 * Delivers the service's answer. A refusal is delivered after its key is freed; a client that has given up gets no
 * answer.
 */
function answered(state: State, n: number, history: number, answer: Exclude<Told, 'nothing' | 'reused'>): State {
  const ended = withRequest(state, n, { call: 'none', began: -1 });
  if (state.requests[n]!.stage !== 'waiting') return ended;
  const isToFree = answer === 'refused';
  return withRequest(ended, n, { history, ...(isToFree ? { stage: 'refused' } : { stage: 'over', told: answer }) });
}

/** The service's transaction, now or after every caller has stopped waiting for it. */
function* calling(state: State, { n, history, faults }: At): Steps {
  const held = state.databases[history]!;
  const { operation, payload, began, stage } = state.requests[n]!;
  const said = `the call of ${nameOf(state, n)} in ${historyOf(history)}`;
  const away = answered(state, n, history, 'turned away');
  const isFreed = faults.has('turned-away-frees') && stage === 'waiting' && held.key?.payload === payload;
  const turnedAway = isFreed ? withHeld(away, history, { key: null }) : away;
  yield { name: 'turn away', next: turnedAway, words: () => `${said} is turned away at the door` };
  const name = 'decide operation';
  if (faults.has('told-before-commit')) {
    const next = answered(state, n, history, 'applied');
    yield { name, next, words: () => `${said} is answered, and its transaction does not commit` };
  }
  const earlier = held.outcomes[operation] ?? null;
  if (earlier !== null && !faults.has('operation-unchecked')) {
    const next = answered(state, n, history, earlier);
    yield { name, next, words: () => `${said} finds operation ${operation + 1}: ${earlier}` };
    return;
  }
  if (!state.isAllowed) {
    const next = withRequest(state, n, { call: 'refusing', history });
    yield { name, next, words: () => `${said} is refused, and rolled back` };
    return;
  }
  const applied = withHeld(state, history, {
    drafts: replaced(held.drafts, payload, held.drafts[payload]! + 1),
    guarded: replaced(held.guarded, payload, held.guarded[payload]! || began === history),
    outcomes: withOutcome(held, operation, 'applied'),
  });
  const next = answered(applied, n, history, 'applied');
  yield { name, next, words: () => `${said}: operation ${operation + 1} is applied` };
}

/** A separate transaction: a copy of the operation may have been decided since the roll-back. */
function recording(state: State, { n, history, faults }: At): Step<State> {
  const held = state.databases[history]!;
  const { operation } = state.requests[n]!;
  const earlier = faults.has('refusal-unchecked') ? null : (held.outcomes[operation] ?? null);
  const outcome: Outcome = earlier ?? 'refused';
  const isRecorded = earlier === null && !faults.has('refusal-not-recorded');
  const outcomes = isRecorded ? withOutcome(held, operation, outcome) : held.outcomes;
  const next = answered(withHeld(state, history, { outcomes }), n, history, outcome);
  const words = (): string => `the refusal of ${nameOf(state, n)} is recorded, unless it was decided since: ${outcome}`;
  return { name: 'record refusal', next, words };
}

/** Frees the key for a corrected request, then answers the client. */
function* freeing(state: State, { n, history, faults }: At): Steps {
  const { payload } = state.requests[n]!;
  const { key } = state.databases[history]!;
  const isOwn = key !== null && (key.payload === payload || faults.has('freed-for-any'));
  const freed = isOwn ? withHeld(state, history, { key: null }) : state;
  const who = nameOf(state, n);
  yield {
    name: 'free key',
    next: withRequest(freed, n, { stage: 'over', told: 'refused' }),
    words: () =>
      `${who} ${isOwn ? 'frees the key' : 'has no key to free'} in ${historyOf(history)}, and is told: refused`,
  };
  yield {
    name: 'lose answer',
    next: withRequest(freed, n, { stage: 'over', told: 'nothing' }),
    words: () =>
      `${who} ${isOwn ? 'frees the key' : 'has no key to free'} in ${historyOf(history)}, and its facade dies`,
  };
}

/** Time, people, and the database. */
function* surroundings(state: State, histories: number): Steps {
  const { changesLeft, isAllowed, databases, copy } = state;
  for (const [history, { outcomes }] of reachable(state)) {
    if (outcomes.every((outcome) => outcome === null || outcome === 'forgotten')) continue;
    const forgotten = outcomes.map((outcome) => outcome && ('forgotten' as const));
    const next = withHeld(state, history, { outcomes: forgotten });
    yield { name: 'forget outcome', next, words: () => 'seven days pass' };
  }
  if (changesLeft > 0) {
    const next = { ...state, isAllowed: !isAllowed, changesLeft: changesLeft - 1 };
    yield {
      name: 'change outside',
      next,
      words: () => `from now on the draft is ${isAllowed ? 'refused' : 'allowed'}`,
    };
  }
  if (databases.length >= histories) return;
  if (copy === null)
    yield { name: 'copy', next: { ...state, copy: databases.at(-1)! }, words: () => 'the database is copied' };
  else
    yield {
      name: 'switch',
      next: { ...state, databases: [...databases, copy], copy: null },
      words: () => 'the copy becomes the database',
    };
}

/** States that no client may observe and no database may contain. */
function broken(state: State): string | null {
  for (const [history, { drafts, guarded }] of reachable(state)) {
    if (drafts.some((count) => count > 1)) return 'one request has made two drafts';
    if (guarded.filter(Boolean).length > 1) return 'one key has made two drafts within a database, of two requests';
    for (const { told, payload, history: answered } of state.requests) {
      if (answered !== history) continue;
      if (told === 'applied' && drafts[payload] === 0) return 'a client was told of a draft that is not there';
      if (told === 'refused' && drafts[payload]! > 0) return 'a client was told of a refusal, and the draft is there';
    }
  }
  return null;
}

function unfinished({ requests: [last] }: State): string | null {
  const isTold = last?.stage === 'over' && last.told !== 'nothing' && last.told !== 'turned away';
  return isTold ? null : 'a retry never learns what became of it';
}
