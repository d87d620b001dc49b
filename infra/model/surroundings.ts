import { replaced } from './key.ts';
import type { Step } from './search.ts';
import { changed, historyOf, reachable, type Bounds, type Database, type World } from './world.ts';

type Steps = Generator<Step<World>>;

/** Copies of the database, which become the database, while processes live on with connections to the old one. */
export function* histories(world: World, bounds: Bounds): Steps {
  const newest = world.databases.length - 1;
  if (newest + 1 < bounds.histories) {
    const words = (): string => `${historyOf(newest)} is copied`;
    if (world.copy === null) yield { name: 'copy', next: { ...world, copy: world.databases[newest]! }, words };
    else {
      const next = { ...world, databases: [...world.databases, world.copy], copy: null };
      yield { name: 'switch', next, words: () => `the copy becomes the database: ${historyOf(newest + 1)} begins` };
    }
  }
  for (const [history, database] of world.databases.entries()) {
    if (history === newest || database === null) continue;
    const next = { ...world, databases: replaced<Database | null>(world.databases, history, null) };
    yield { name: 'disconnect', next, words: () => `nobody is connected to ${historyOf(history)} any more` };
  }
}

/** What processes remember: two of each side, each of which may live on or begin anew. */
export function* memories(world: World, { processes }: Bounds): Steps {
  for (const [history, database] of world.databases.entries()) {
    if (database === null) continue;
    for (let n = 0; n < processes; n++) {
      const heard = { ...world, hears: replaced(world.hears, n, history) };
      yield {
        name: 'sign of life',
        next: heard,
        words: () => `process ${n + 1} of review hears that payments is there, in ${historyOf(history)}`,
      };
      const next = { ...world, knows: replaced(world.knows, n, history) };
      yield {
        name: 'restart',
        next,
        words: () => `process ${n + 1} of payments starts anew, and sees ${historyOf(history)}`,
      };
    }
  }
  for (const [n, hears] of world.hears.entries()) {
    const next = { ...world, hears: replaced(world.hears, n, -1) };
    if (hears !== -1) yield { name: 'restart', next, words: () => `process ${n + 1} of review starts anew` };
  }
}

/** The stream is wiped, receipts get lost. That a single message is lost is the same as that it never arrives. */
export function* losses(world: World): Steps {
  const without = (kind: 'event' | 'receipt'): World => ({
    ...world,
    flying: world.flying.filter((each) => each.kind !== kind),
  });
  yield { name: 'wipe', next: without('event'), words: () => 'the stream is wiped' };
  yield { name: 'lose receipts', next: without('receipt'), words: () => 'all receipts under way are lost' };
}

/** Two months pass: nothing of before is on its way any more, and what retention forgets is forgotten. */
export function* retention(world: World, { faults }: Bounds): Steps {
  if (!world.isLater) {
    let next: World = { ...world, flying: [], isLater: true };
    for (const { history, work, rows } of reachable(world)) {
      const outbox = rows.outbox === 'confirmed' ? 'forgotten' : rows.outbox;
      next = changed(next, history, work, { outbox, inboxes: [[], []] });
    }
    yield {
      name: 'forget',
      next,
      words: () => 'two months pass: confirmed events and the notes of the inboxes are forgotten',
    };
  }
  if (!faults.has('unconfirmed-forgotten')) return;
  for (const { history, work, rows } of reachable(world)) {
    if (rows.outbox !== 'sent') continue;
    const next = changed(world, history, work, { outbox: 'forgotten' });
    yield { name: 'forget', next, words: () => 'an event is deleted that nobody has confirmed' };
  }
}
