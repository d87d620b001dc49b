import type { Step } from './search.ts';
import {
  changed,
  historyOf,
  nameOf,
  rowsOf,
  sent,
  type Bounds,
  type Consumer,
  type Flying,
  type Payment,
  type Rows,
  type World,
} from './world.ts';

type Steps = Generator<Step<World>>;
type Event = Extract<Flying, { kind: 'event' }>;

/** Consumers apply what arrives, and confirm it; review strikes it out. */
export function* consuming(world: World, bounds: Bounds): Steps {
  for (const message of world.flying) {
    if (message.kind === 'receipt') yield* strikingOut(world, bounds, message);
    if (message.kind !== 'event') continue;
    for (const history of world.databases.keys()) {
      if (!rowsOf(world, history, message.work)) continue;
      yield* hearing(world, bounds, { message, history, consumer: 0 });
      if (bounds.consumers === 2) yield* hearing(world, bounds, { message, history, consumer: 1 });
    }
  }
}

interface Heard {
  message: Event;
  /** Of the database that the consumer's transaction is in. */
  history: number;
  consumer: Consumer;
}

function* hearing(world: World, bounds: Bounds, heard: Heard): Steps {
  const { message, history } = heard;
  const { faults } = bounds;
  const isRemembered = faults.has('history-remembered') && world.knows.includes(message.history);
  const isHere = message.history === history || isRemembered || faults.has('event-without-history');
  if (isHere) yield* applying(world, bounds, heard);
  else if (faults.has('note-of-another-history')) {
    const words = (): string => `${toWords(heard)}: of another history, noted and dropped`;
    yield { name: 'apply', next: changed(world, history, message.work, noted(world, heard)), words };
  }
  if (faults.has('receipt-before-commit')) {
    const words = (): string => `${toWords(heard)}: the receipt goes out, and the transaction does not commit`;
    yield { name: 'apply', next: sent(world, receiptOf(heard)), words };
  }
}

function toWords({ message: { work, approval, history: of }, history, consumer }: Heard): string {
  const who = consumer === 0 ? 'payments' : 'the other consumer';
  return `${who} gets the event of ${nameOf(work, approval)}, of ${historyOf(of)}, in ${historyOf(history)}`;
}

/** In one transaction; what is confirmed then is on its way to review. */
function* applying(world: World, { faults }: Bounds, heard: Heard): Steps {
  const { message, history, consumer } = heard;
  const { work, approval } = message;
  const rows = rowsOf(world, history, work)!;
  const confirmed = sent(world, receiptOf(heard));
  const withChanges = (changes: Partial<Rows>): World => changed(confirmed, history, work, changes);
  const isElsewhere = message.history !== history && faults.has('history-remembered');
  const made = isElsewhere ? 'applied by the history that it remembers' : 'applied';
  if (rows.inboxes[consumer]!.includes(approval) && !faults.has('no-inbox')) {
    yield { name: 'replay', next: confirmed, words: () => `${toWords(heard)}: known, and confirmed again` };
  } else if (consumer === 1) {
    const applied = rows.applied.includes(approval) ? rows.applied : [...rows.applied, approval];
    const next = withChanges({ ...noted(world, heard), applied });
    yield { name: 'apply', next, words: () => `${toWords(heard)}: ${made}, and confirmed` };
  } else if (rows.payments.length > 0 && !faults.has('no-unique-payment')) {
    const words = (): string => `${toWords(heard)}: the work has a payment already, the event is buried`;
    yield { name: 'bury', next: withChanges({ isBuried: true }), words };
  } else if (rows.payments.length < 2) {
    const payments: readonly Payment[] = [...rows.payments, { approval, status: 'pending', attempts: [] }];
    const next = withChanges({ ...noted(world, heard), payments });
    yield { name: 'apply', next, words: () => `${toWords(heard)}: ${made}, and confirmed` };
  }
}

function receiptOf({ message: { work, approval, history }, consumer }: Heard): Flying {
  return { kind: 'receipt', work, approval, history, consumer };
}

function noted(world: World, { message, history, consumer }: Heard): Pick<Rows, 'inboxes'> {
  const { inboxes } = rowsOf(world, history, message.work)!;
  const isNoted = inboxes[consumer]!.includes(message.approval);
  return {
    inboxes: isNoted ? inboxes : inboxes.map((notes, n) => (n === consumer ? [...notes, message.approval] : notes)),
  };
}

function* strikingOut(world: World, { faults }: Bounds, receipt: Extract<Flying, { kind: 'receipt' }>): Steps {
  const { work, approval, consumer } = receipt;
  for (const [history] of world.databases.entries()) {
    const rows = rowsOf(world, history, work);
    if (!rows || rows.approval !== approval || (rows.outbox !== 'sent' && rows.outbox !== 'new')) continue;
    if (receipt.history !== history && !faults.has('receipt-without-history')) continue;
    const left = faults.has('one-confirms-for-all') ? [] : rows.awaiting.filter((each) => each !== consumer);
    if (left.length === rows.awaiting.length) continue;
    const next = changed(world, history, work, {
      awaiting: left,
      outbox: left.length === 0 ? 'confirmed' : rows.outbox,
    });
    const words = (): string =>
      `review hears the receipt for ${nameOf(work, approval)}, of ${historyOf(receipt.history)}, and notes it in ${historyOf(history)}`;
    yield { name: 'strike out', next, words };
  }
}
