import { reachable, withHeld, type State } from './request-state.ts';
import type { Step } from './search.ts';

/** Time, people, and the database. */
export function* surroundings(state: State, histories: number): Generator<Step<State>> {
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
