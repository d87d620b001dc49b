import type { Step } from './search.ts';
import {
  type Bounds,
  type Consumer,
  type Flying,
  type Payment,
  type Rows,
  type World,
  changed,
  historyOf,
  nameOf,
  reachable,
  rowsOf,
  sent,
  workOf,
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

const consumerOf = (consumer: Consumer): string => (consumer === 0 ? 'payments' : 'the other consumer');

/** Consumers apply events on request and reply; the reply confirms the event at review. */
export function* consuming(world: World, bounds: Bounds): Steps {
  for (const message of world.flying) {
    if (message.kind === 'reply') yield* confirming(world, bounds, message);
    if (message.kind !== 'request') continue;
    for (const history of world.databases.keys()) {
      if (rowsOf(world, history, message.work)) yield* receiving(world, bounds, { message, history });
    }
  }
}

interface Received {
  message: Extract<Flying, { kind: 'request' }>;
  /** The database that the consumer's transaction is in. */
  history: number;
}

function* receiving(world: World, bounds: Bounds, received: Received): Steps {
  const { message, history } = received;
  const { faults } = bounds;
  const isRemembered = faults.has('history-remembered') && world.knows.includes(message.history);
  const isHere = message.history === history || isRemembered || faults.has('event-without-history');
  if (isHere) yield* applying(world, bounds, received);
  else if (faults.has('note-of-another-history')) {
    const words = (): string => `${toWords(received)}: of another history, noted and not applied`;
    yield { name: 'apply', next: changed(world, history, message.work, noted(world, received)), words };
  }
  if (faults.has('reply-before-commit')) {
    const words = (): string => `${toWords(received)}: the reply is sent, and the transaction does not commit`;
    yield { name: 'apply', next: sent(world, replyTo(received)), words };
  }
}

function toWords({ message: { work, approval, history: of, consumer }, history }: Received): string {
  return `${consumerOf(consumer)} gets the event of ${nameOf(work, approval)}, of ${historyOf(of)}, in ${historyOf(history)}`;
}

/** In one transaction; the reply is sent after it. */
function* applying(world: World, { faults }: Bounds, received: Received): Steps {
  const { message, history } = received;
  const { work, approval, consumer } = message;
  const rows = rowsOf(world, history, work)!;
  const replied = sent(world, replyTo(received));
  const withChanges = (changes: Partial<Rows>): World => changed(replied, history, work, changes);
  const isElsewhere = message.history !== history && faults.has('history-remembered');
  const made = isElsewhere ? 'applied by the history that it remembers' : 'applied';
  const isUnique = !faults.has('no-unique-payment');
  const isLookedUp = isUnique && !faults.has('no-look-up');
  if (rows.operations[consumer]!.includes(approval) && isLookedUp) {
    yield { name: 'replay', next: replied, words: () => `${toWords(received)}: known, and confirmed again` };
  } else if (consumer === 1) {
    const applied = rows.applied.includes(approval) ? rows.applied : [...rows.applied, approval];
    const next = withChanges({ ...noted(world, received), applied });
    yield { name: 'apply', next, words: () => `${toWords(received)}: ${made}, and confirmed` };
  } else if (rows.payments.length > 0 && isUnique) {
    const words = (): string => `${toWords(received)}: the work has a payment already, the event is a dead letter`;
    yield { name: 'apply', next: withChanges({ hasDeadLetter: true }), words };
  } else if (rows.payments.length < 2) {
    const payments: readonly Payment[] = [...rows.payments, { approval, status: 'pending', attempts: [] }];
    const next = withChanges({ ...noted(world, received), payments });
    yield { name: 'apply', next, words: () => `${toWords(received)}: ${made}, and confirmed` };
  }
}

function replyTo({ message: { work, approval, history, consumer } }: Received): Flying {
  return { kind: 'reply', work, approval, history, consumer };
}

function noted(world: World, { message, history }: Received): Pick<Rows, 'operations'> {
  const { approval, consumer } = message;
  const { operations } = rowsOf(world, history, message.work)!;
  const isNoted = operations[consumer]!.includes(approval);
  return {
    operations: isNoted ? operations : operations.map((each, n) => (n === consumer ? [...each, approval] : each)),
  };
}

function* confirming(world: World, { faults }: Bounds, reply: Extract<Flying, { kind: 'reply' }>): Steps {
  const { work, approval, consumer } = reply;
  for (const history of world.databases.keys()) {
    const rows = rowsOf(world, history, work);
    if (!rows || rows.approval !== approval || !rows.awaiting.includes(consumer)) continue;
    if (reply.history !== history && !faults.has('reply-without-history')) continue;
    const awaiting = faults.has('one-confirms-for-all') ? [] : rows.awaiting.filter((each) => each !== consumer);
    const outbox = awaiting.length === 0 ? 'confirmed' : rows.outbox;
    const words = (): string =>
      `review gets the reply for ${nameOf(work, approval)}, of ${historyOf(reply.history)}, and confirms it in ${historyOf(history)}`;
    yield { name: 'confirm', next: changed(world, history, work, { awaiting, outbox }), words };
  }
}
