import type { Faults, StepName } from './names.ts';
import { type Protocol, type Step, replaced, sorted } from './search.ts';

/** A write of the workspace, with the time that it gives its row. */
interface Write {
  stage: 'none' | 'waiting' | 'open' | 'committed';
  time: number;
  isPolled: boolean;
}

interface State {
  /** The machine's clock; after a failover the new machine's may be behind. */
  wall: number;
  /** The change clock, as committed. */
  last: number;
  writes: readonly Write[];
  /** The greatest time that the poller has received. */
  cursor: number;
}

const MOST = 4;

/** Writes of one workspace, and a client that polls for changes. */
export function changeClock({ count, faults }: { count: number; faults: Faults }): Protocol<State> {
  const writes = Array<Write>(count).fill({ stage: 'none', time: 0, isPolled: false });
  return {
    start: { wall: 1, last: 0, writes, cursor: 0 },
    steps: (state) => steps(state, faults),
    canonical: (state) => ({ ...state, writes: sorted(state.writes) }),
    broken,
    healed: (state) => ({ ...state, writes: state.writes.filter(({ stage }) => stage === 'committed') }),
    goesOn: new Set<StepName>(['poll']),
    unfinished: ({ writes: all }) =>
      all.every(({ isPolled }) => isPolled) ? null : 'the poller never receives a change',
  };
}

function* steps(state: State, faults: Faults): Generator<Step<State>> {
  const { wall, last, writes } = state;
  const isLocked = writes.some(({ stage }) => stage === 'open');
  for (const [n, write] of writes.entries()) {
    if (write.stage === 'none' && faults.has('clock-outside-lock')) {
      yield {
        name: 'move clock',
        next: changed(state, n, { stage: 'waiting', time: wall }),
        words: () => `write ${n + 1} takes the time ${wall}, and waits for the clock`,
      };
    } else if (!isLocked && (write.stage === 'none' || write.stage === 'waiting')) {
      const own = faults.has('clock-of-the-wall') ? wall : Math.max(wall, last + 1);
      const time = write.stage === 'waiting' ? write.time : own;
      yield {
        name: 'move clock',
        next: changed(state, n, { stage: 'open', time }),
        words: () => `write ${n + 1} has the clock, at the time ${time}`,
      };
    }
    if (write.stage === 'open') {
      const committed = changed(state, n, { stage: 'committed' });
      yield { name: 'commit', next: { ...committed, last: write.time }, words: () => `write ${n + 1} commits` };
      yield {
        name: 'roll back',
        next: changed(state, n, { stage: 'none' }),
        words: () => `write ${n + 1} is rolled back`,
      };
    }
  }
  yield polling(state);
  for (const next of [wall + 1, wall - 1]) {
    if (next > 0 && next <= MOST)
      yield { name: 'tick', next: { ...state, wall: next }, words: () => `the machine's clock says ${next}` };
  }
}

function changed(state: State, n: number, changes: Partial<Write>): State {
  return { ...state, writes: replaced(state.writes, n, { ...state.writes[n]!, ...changes }) };
}

function polling(state: State): Step<State> {
  const isNew = ({ stage, time }: Write): boolean => stage === 'committed' && time >= state.cursor;
  const writes = state.writes.map((write) => (isNew(write) ? { ...write, isPolled: true } : write));
  const cursor = Math.max(state.cursor, ...writes.filter(isNew).map(({ time }) => time));
  return {
    name: 'poll',
    next: { ...state, writes, cursor },
    words: () => `the poller asks for what has changed since ${state.cursor}`,
  };
}

function broken({ writes, cursor }: State): string | null {
  const isMissed = writes.some(({ stage, time, isPolled }) => stage === 'committed' && time < cursor && !isPolled);
  return isMissed ? 'a change is behind the poller, who has not received it' : null;
}
