import { consuming, publishing } from './delivery.ts';
import { type Protocol, type Step, replaced } from './search.ts';
import { asking, paying } from './payouts.ts';
import type { StepName } from './names.ts';
import {
  type Bounds,
  type Database,
  type Rows,
  type World,
  canonical,
  changed,
  healed,
  historyOf,
  nameOf,
  reachable,
  startOf,
  workOf,
} from './world.ts';

type Steps = Generator<Step<World>>;

/** From the approval of a piece of work to the settled payout. */
export function approvals(bounds: Bounds): Protocol<World> {
  return {
    start: startOf(bounds),
    steps: (world) => steps(world, bounds),
    canonical,
    healed,
    broken: (world) => broken(world, bounds),
    goesOn: GOES_ON,
    unfinished: (world) => unfinished(world, bounds),
  };
}

const GOES_ON: ReadonlySet<StepName> = new Set<StepName>([
  'deliver again',
  'apply',
  'replay',
  'confirm',
  'begin payout',
  'take attempt',
  'submit',
  'look up',
  'provider settles',
  'record answer',
]);

function* steps(world: World, bounds: Bounds): Steps {
  yield* publishing(world, bounds);
  yield* consuming(world, bounds);
  if (bounds.attempts > 0) {
    yield* paying(world, bounds);
    yield* asking(world, bounds);
  }
  yield* histories(world, bounds);
  yield* memories(world, bounds);
  if (bounds.losses) yield* losses(world);
  if (bounds.later) yield* retention(world, bounds);
}

/** Copies of the database that replace it, while processes keep their connections to the old one. */
function* histories(world: World, bounds: Bounds): Steps {
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
function* memories(world: World, { processes }: Bounds): Steps {
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
function* losses(world: World): Steps {
  const without = (kind: 'request' | 'reply'): World => ({
    ...world,
    flying: world.flying.filter((each) => each.kind !== kind),
  });
  yield { name: 'lose requests', next: without('request'), words: () => 'all requests under way are lost' };
  yield { name: 'lose replies', next: without('reply'), words: () => 'all replies under way are lost' };
}

/** Confirmed events are deleted, operations never: a request may arrive after the event is gone. */
function* retention(world: World, { faults }: Bounds): Steps {
  for (const { history, work, rows } of reachable(world)) {
    const isUnconfirmed = rows.outbox === 'waiting' && faults.has('unconfirmed-deleted');
    if (rows.outbox !== 'confirmed' && !isUnconfirmed) continue;
    const next = changed(world, history, work, { outbox: 'deleted', awaiting: [] });
    const which = isUnconfirmed ? 'an event that a consumer has not confirmed' : 'a confirmed event';
    yield { name: 'delete event', next, words: () => `${which} is deleted` };
  }
}

function broken(world: World, { consumers }: Bounds): string | null {
  for (const { history, work, rows } of reachable(world)) {
    const fault = brokenRows(rows, consumers);
    if (fault !== null) return `${workOf(work)} in ${historyOf(history)}: ${fault}`;
  }
  for (const work of world.approvals.keys()) {
    const settled = world.orders.filter((order) => order.work === work && order.status === 'settled');
    if (settled.length > 1) return `${workOf(work)}: two orders are settled at the provider`;
  }
  return null;
}

function brokenRows({ approval, outbox, payments, applied, hasDeadLetter }: Rows, consumers: number): string | null {
  if (payments.length > 1) return 'two payments for one approval';
  const stranger = payments.find((payment) => payment.approval !== approval);
  if (stranger) return 'a payment that nobody has approved in this history';
  if (applied.some((one) => one !== approval))
    return 'the other consumer has applied what never happened in this history';
  const isConfirmed = outbox === 'confirmed' || outbox === 'deleted';
  const isApplied = payments.length === 1 && (consumers === 1 || applied.length === 1);
  if (isConfirmed && !isApplied) return 'the event is confirmed or gone, and was not applied';
  return hasDeadLetter ? 'a dead letter that no person has caused' : null;
}

function unfinished(world: World, { attempts }: Bounds): string | null {
  for (const { work, rows } of reachable(world)) {
    const { approval, outbox, payments } = rows;
    if (approval === 0) continue;
    const [payment] = payments;
    if (payment === undefined) return `${nameOf(work, approval)} is never made`;
    if (outbox !== 'confirmed' && outbox !== 'deleted')
      return `the event of ${nameOf(work, approval)} is never confirmed`;
    const isEnded = payment.status === 'completed' || payment.status === 'failed';
    const hasAlarm = payment.attempts.some((attempt) => attempt.hasAlarm);
    if (attempts > 0 && !isEnded && !hasAlarm) return `${nameOf(work, approval)} is never settled, and raises no alarm`;
  }
  return null;
}
