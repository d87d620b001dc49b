import { replaced } from './key.ts';
import type { Step } from './search.ts';
import { changed, historyOf, reachable, type Bounds, type Database, type World } from './world.ts';

type Steps = Generator<Step<World>>;

/** Copies of the database that replace it, while processes keep their connections to the old one. */
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

/** In-memory state of the payments processes. Each process may survive the switch or restart. */
export function* memories(world: World, { processes }: Bounds): Steps {
  for (const [history, database] of world.databases.entries()) {
    if (database === null) continue;
    for (let n = 0; n < processes; n++) {
      const next = { ...world, knows: replaced(world.knows, n, history) };
      yield {
        name: 'restart',
        next,
        words: () => `process ${n + 1} of payments starts anew, and sees ${historyOf(history)}`,
      };
    }
  }
}

/** NATS is killed and all messages in flight are lost. The loss of a single message equals one that never arrives. */
export function* losses(world: World): Steps {
  const without = (kind: 'request' | 'reply'): World => ({
    ...world,
    flying: world.flying.filter((each) => each.kind !== kind),
  });
  yield { name: 'lose requests', next: without('request'), words: () => 'all requests under way are lost' };
  yield { name: 'lose replies', next: without('reply'), words: () => 'all replies under way are lost' };
}

/** Confirmed events are deleted, operations never: a request may arrive after the event is gone. */
export function* retention(world: World, { faults }: Bounds): Steps {
  for (const { history, work, rows } of reachable(world)) {
    const isUnconfirmed = rows.outbox === 'waiting' && faults.has('unconfirmed-deleted');
    if (rows.outbox !== 'confirmed' && !isUnconfirmed) continue;
    const next = changed(world, history, work, { outbox: 'deleted', awaiting: [] });
    const which = isUnconfirmed ? 'an event that a consumer has not confirmed' : 'a confirmed event';
    yield { name: 'delete event', next, words: () => `${which} is deleted` };
  }
}
