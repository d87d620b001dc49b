import { consumerOf } from './publishing.ts';
import type { Step } from './search.ts';
import {
  changed,
  historyOf,
  nameOf,
  rowsOf,
  sent,
  type Bounds,
  type Flying,
  type Payment,
  type Rows,
  type World,
} from './world.ts';

type Steps = Generator<Step<World>>;

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
