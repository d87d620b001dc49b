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

/** Review approves work, its relay offers the event until it is confirmed. */
export function* publishing(world: World, bounds: Bounds): Steps {
  for (const { history, work, rows } of reachable(world)) {
    const { approval, outbox } = rows;
    const event = { kind: 'event', work, approval, history } as const;
    if (approval === 0) yield* approving(world, bounds, { history, work });
    if (outbox === 'new') {
      const next = changed(sent(world, event), history, work, { outbox: 'sent' });
      yield {
        name: 'publish new',
        next,
        words: () => `review takes the event of ${nameOf(work, approval)} for publishing, in ${historyOf(history)}`,
      };
    }
    // Only to a consumer that says it is there, in the history of this database.
    const isOffered = outbox === 'sent' && world.hears.includes(history) && !bounds.faults.has('offered-once');
    if (isOffered) {
      const words = (): string =>
        `review offers the event of ${nameOf(work, approval)} again, in ${historyOf(history)}`;
      yield { name: 'offer again', next: sent(world, event), words };
    }
    if (outbox !== 'none' && outbox !== 'forgotten') {
      const words = (): string =>
        `payments asks review for ${nameOf(work, approval)}, and is answered in ${historyOf(history)}`;
      yield { name: 'ask', next: sent(world, event), words };
    }
  }
}

function* approving(world: World, bounds: Bounds, { history, work }: { history: number; work: number }): Steps {
  const approval = world.approvals[work]! + 1;
  const approvals = world.approvals.map((count, n) => (n === work ? approval : count));
  const awaiting: readonly Consumer[] = bounds.consumers === 2 ? [0, 1] : [0];
  const event = { kind: 'event', work, approval, history } as const;
  const name = 'approve';
  const said = `${workOf(work)} is approved in ${historyOf(history)}, as ${nameOf(work, approval)}`;
  const committed = changed({ ...world, approvals }, history, work, { approval, outbox: 'sent', awaiting });
  yield { name, next: sent(committed, event), words: () => `${said}; its event is on its way` };
  if (bounds.losses) {
    const next = changed(committed, history, work, { outbox: 'new' });
    yield { name, next, words: () => `${said}, while NATS is away` };
  }
  if (bounds.faults.has('publish-before-commit')) {
    const next = sent({ ...world, approvals }, event);
    yield {
      name,
      next,
      words: () =>
        `${workOf(work)}: the event of ${nameOf(work, approval)} goes out, and its transaction does not commit`,
    };
  }
}
