import type { Faults } from './faults.ts';
import { broken, unfinished } from './request-rules.ts';
import {
  canonical,
  healed,
  startOf,
  withHeld,
  withOutcome,
  withRequest,
  type Answer,
  type Request,
  type State,
} from './request-state.ts';
import { surroundings } from './request-surroundings.ts';
import type { Protocol, Step } from './search.ts';
import type { StepName } from './step-names.ts';
import { historyOf } from './world.ts';

interface Bounds {
  /** Requests with the same key. */
  count: number;
  histories: number;
  /** How often it changes whether the write is allowed. */
  changes: number;
  faults: Faults;
}

type Steps = Generator<Step<State>>;

/** A write that nothing but its key protects from being done twice: a draft without a reference of its own. */
export function requests(bounds: Bounds): Protocol<State> {
  return {
    start: startOf(bounds),
    steps: (state) => steps(state, bounds),
    canonical,
    healed,
    broken,
    goesOn: new Set<StepName>(['take key', 'decide operation', 'settle key']),
    unfinished,
  };
}

function* steps(state: State, bounds: Bounds): Steps {
  for (const [n, { stage, isCalling }] of state.requests.entries()) {
    for (const history of state.databases.keys()) {
      if (state.databases[history] === null) continue;
      const at = { n, history, faults: bounds.faults };
      if (stage === 'none') yield takingKey(state, at);
      if (isCalling) yield* calling(state, at);
      if (stage === 'answered') yield* settling(state, at);
    }
    if (stage !== 'waiting' && stage !== 'answered') continue;
    const lost = withRequest(state, n, { stage: 'answered', answer: 'unknown' });
    if (stage === 'waiting')
      yield { name: 'lose answer', next: lost, words: () => `request ${n + 1} waits no longer for its answer` };
    yield {
      name: 'die',
      next: withRequest(state, n, { stage: 'over' }),
      words: () => `the facade's process dies, with request ${n + 1}`,
    };
  }
  yield* surroundings(state, bounds.histories);
}

interface At {
  /** Which request. */
  n: number;
  /** Of the database that the connection reaches. */
  history: number;
  faults: Faults;
}

/** Takes the key, takes it over, or is told what became of it: one statement. */
function takingKey(state: State, { n, history, faults }: At): Step<State> {
  const { claim, drafts } = state.databases[history]!;
  const name = 'take key';
  const after = drafts > 0 ? history : -1;
  const tell = (told: Request['told']): Step<State> => {
    const next = withRequest(state, n, { stage: 'over', told, after, history });
    return { name, next, words: () => `request ${n + 1} is told: ${told}` };
  };
  if (claim?.isExpired) return tell('forgotten');
  if (claim?.state === 'done') return tell('applied');
  if (claim && !claim.isLapsed) return tell('in progress');
  const attempt = (claim?.attempt ?? 0) + 1;
  const isNew = claim === null || faults.has('take-over-is-new');
  const operation = isNew ? state.operations : claim.operation;
  const taken = { operation, attempt, state: 'running', isLapsed: false, isExpired: false } as const;
  const counted = { ...withHeld(state, history, { claim: taken }), operations: state.operations + (isNew ? 1 : 0) };
  const next = withRequest(counted, n, {
    stage: 'waiting',
    operation,
    attempt,
    isCalling: true,
    began: history,
    after,
  });
  const words = (): string =>
    `request ${n + 1} takes the key as attempt ${attempt} at operation ${operation + 1} in ${historyOf(history)}, and calls the service`;
  return { name, next, words };
}

/** The service's transaction, now or after everybody has stopped waiting for it. */
function* calling(state: State, { n, history, faults }: At): Steps {
  const held = state.databases[history]!;
  const { operation, stage, began } = state.requests[n]!;
  const said = `the call of request ${n + 1}, in ${historyOf(history)}`;
  const answered = (from: State, answer: Answer): State =>
    withRequest(from, n, { isCalling: false, ...(stage === 'waiting' && { stage: 'answered', answer, history }) });
  const name = 'decide operation';
  yield { name: 'turn away', next: answered(state, 'turned away'), words: () => `${said}, is turned away at the door` };
  if (began !== history && !faults.has('operation-without-history')) {
    yield {
      name,
      next: answered(state, 'unknown'),
      words: () => `${said}, is of another history, and nothing is decided`,
    };
    return;
  }
  if (faults.has('told-before-commit')) {
    yield {
      name,
      next: answered(state, 'applied'),
      words: () => `${said}, is answered, and its transaction does not commit`,
    };
  }
  const earlier = held.outcomes[operation] ?? null;
  if (earlier !== null && !faults.has('operation-unchecked')) {
    yield {
      name,
      next: answered(state, earlier),
      words: () => `${said}, finds operation ${operation + 1}: ${earlier}`,
    };
    return;
  }
  const outcome = state.isAllowed ? 'applied' : 'refused';
  const isRecorded = state.isAllowed || !faults.has('refusal-not-recorded');
  const decided = withHeld(state, history, {
    drafts: held.drafts + (state.isAllowed ? 1 : 0),
    outcomes: isRecorded ? withOutcome(held, operation, outcome) : held.outcomes,
  });
  yield { name, next: answered(decided, outcome), words: () => `${said}: operation ${operation + 1} is ${outcome}` };
}

/** Keeps the answer, frees the key or gives it up; then the client is told. Should that fail, the lease lapses. */
function* settling(state: State, { n, history, faults }: At): Steps {
  const { operation, attempt, ...request } = state.requests[n]!;
  const { claim } = state.databases[history]!;
  const answer = request.answer!;
  const isHere = request.began === history || faults.has('operation-without-history');
  const isOwn = isHere && claim?.state === 'running' && claim.operation === operation && claim.attempt === attempt;
  const told = withRequest(state, n, { stage: 'over', told: answer });
  const said = `request ${n + 1} is told: ${answer}`;
  yield { name: 'give up', next: told, words: () => `${said}; its key is left to lapse` };
  if (claim === null || (!isOwn && !faults.has('claim-without-fence'))) return;
  const isFirst = attempt === 1 || faults.has('turned-away-frees');
  const settled = (becomes: typeof claim | null): State => withHeld(told, history, { claim: becomes });
  if (answer === 'applied')
    yield { name: 'settle key', next: settled({ ...claim, state: 'done' }), words: () => `${said}, and this is kept` };
  else if (answer === 'refused' || (answer === 'turned away' && isFirst))
    yield { name: 'settle key', next: settled(null), words: () => `${said}, and the key is free` };
  else
    yield {
      name: 'give up',
      next: settled({ ...claim, isLapsed: true }),
      words: () => `${said}, and the key may be taken over`,
    };
}
