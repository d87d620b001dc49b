import type { Step } from './search.ts';
import {
  changed,
  historyOf,
  nameOf,
  reachable,
  sent,
  workOf,
  type Bounds,
  type Consumer,
  type World,
} from './world.ts';

type Steps = Generator<Step<World>>;

/** Review approves work, and asks each consumer to apply the event until it has confirmed. */
export function* publishing(world: World, bounds: Bounds): Steps {
  for (const { history, work, rows } of reachable(world)) {
    const { approval, outbox, awaiting } = rows;
    const event = { kind: 'request', work, approval, history } as const;
    if (approval === 0) yield* approving(world, bounds, { history, work });
    // When its lease has expired: any process may, whatever happened to earlier requests.
    for (const consumer of bounds.faults.has('asked-once') ? [] : awaiting) {
      const words = (): string =>
        `review asks ${consumerOf(consumer)} again to apply the event of ${nameOf(work, approval)}, in ${historyOf(history)}`;
      yield { name: 'deliver again', next: sent(world, { ...event, consumer }), words };
    }
    if (outbox === 'waiting' || outbox === 'confirmed') {
      const words = (): string =>
        `payments asks review for ${nameOf(work, approval)}, and is answered in ${historyOf(history)}`;
      yield { name: 'ask', next: sent(world, { ...event, consumer: 0 }), words };
    }
  }
}

function* approving(world: World, bounds: Bounds, { history, work }: { history: number; work: number }): Steps {
  const approval = world.approvals[work]! + 1;
  const approvals = world.approvals.map((count, n) => (n === work ? approval : count));
  const consumers: readonly Consumer[] = bounds.consumers === 2 ? [0, 1] : [0];
  const begun = { ...world, approvals };
  const requested = (from: World): World =>
    consumers.reduce((each, consumer) => sent(each, { kind: 'request', work, approval, history, consumer }), from);
  const name = 'approve';
  const committed = changed(begun, history, work, { approval, outbox: 'waiting', awaiting: consumers });
  yield {
    name,
    next: requested(committed),
    words: () =>
      `${workOf(work)} is approved in ${historyOf(history)}, as ${nameOf(work, approval)}; its event is on its way`,
  };
  if (bounds.faults.has('deliver-before-commit')) {
    yield {
      name,
      next: requested(begun),
      words: () =>
        `${workOf(work)}: the event of ${nameOf(work, approval)} is delivered, and its transaction does not commit`,
    };
  }
}

export const consumerOf = (consumer: Consumer): string => (consumer === 0 ? 'payments' : 'the other consumer');
