import { type Step, replaced } from './search.ts';
import {
  type Attempt,
  type Bounds,
  type Flying,
  type Order,
  type Payment,
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
type Taken = Extract<Flying, { kind: 'attempt' }>;
type Answer = Extract<Flying, { kind: 'answer' }>;

/** Payments' own steps towards the provider. */
export function* paying(world: World, bounds: Bounds): Steps {
  for (const { history, work, rows } of reachable(world)) {
    for (const payment of rows.payments) yield* following(world, bounds, { history, work, payment });
  }
}

function* following(world: World, bounds: Bounds, about: About): Steps {
  const { status, attempts } = about.payment;
  const isOver = attempts.every((attempt) => attempt.status === 'declined');
  if (status === 'pending' && (isOver || bounds.faults.has('declined-before-asked'))) yield beginning(world, about);
  if (mayRetry(about.payment, bounds)) yield retrying(world, about);
  for (const [place, attempt] of attempts.entries()) {
    const isOpen = attempt.status === 'prepared' || attempt.status === 'submitted';
    if (isOpen) yield taking(world, bounds, { ...about, place, attempt });
  }
}

interface About {
  history: number;
  work: number;
  payment: Payment;
}

function withPayment(world: World, { history, work, payment }: About, changes: Partial<Payment>): World {
  const { payments } = rowsOf(world, history, work)!;
  return changed(world, history, work, {
    payments: replaced(payments, payments.indexOf(payment), { ...payment, ...changes }),
  });
}

function beginning(world: World, about: About): Step<World> {
  const { history, work, payment } = about;
  const attempts = [...payment.attempts, { status: 'prepared', looks: 0, hasAlarm: false } as const];
  const words = (): string =>
    `attempt ${attempts.length} of ${nameOf(work, payment.approval)} is prepared in ${historyOf(history)}`;
  return { name: 'begin payout', next: withPayment(world, about, { status: 'processing', attempts }), words };
}

/** A person's decision, after a final failure. */
function mayRetry({ status, attempts }: Payment, bounds: Bounds): boolean {
  const hasFailed = status === 'failed' || (status === 'processing' && bounds.faults.has('declined-before-asked'));
  return hasFailed && attempts.length < bounds.attempts;
}

function retrying(world: World, about: About): Step<World> {
  const { history, work, payment } = about;
  const words = (): string => `a person retries ${nameOf(work, payment.approval)} in ${historyOf(history)}`;
  return { name: 'retry payment', next: withPayment(world, about, { status: 'pending' }), words };
}

interface AboutAttempt extends About {
  place: number;
  attempt: Attempt;
}

function taking(world: World, { faults }: Bounds, about: AboutAttempt): Step<World> {
  const { history, work, payment, place, attempt } = about;
  const { approval } = payment;
  const number = place + 1;
  const looks = Math.min(attempt.looks + 1, 2);
  const of = faults.has('key-of-the-approval') ? nameOf(work, approval) : workOf(work);
  const key = faults.has('key-changes-on-retry') ? `${of}:${number}:${looks}` : `${of}:${number}`;
  const mayOrder = attempt.status === 'prepared' && !attempt.hasAlarm;
  const taken: Taken = { kind: 'attempt', work, approval, number, key, mayOrder, isFirst: looks === 1 };
  const next = withPayment(world, about, { attempts: replaced(payment.attempts, place, { ...attempt, looks }) });
  const words = (): string => `a process takes attempt ${number} of ${nameOf(work, approval)} in ${historyOf(history)}`;
  return { name: 'take attempt', next: sent(next, taken), words };
}

/** Calls to the provider, and its answers, whether or not a process still waits for them. */
export function* asking(world: World, bounds: Bounds): Steps {
  for (const message of world.flying) {
    if (message.kind === 'attempt') yield* calling(world, bounds, message);
    if (message.kind === 'answer') yield* recording(world, message);
  }
  for (const [place, order] of world.orders.entries()) {
    if (order.status === 'submitted') {
      for (const status of ['settled', 'declined'] as const) yield becoming(world, place, { ...order, status });
    }
    if (mayForget(world, order)) yield forgetting(world, place, order);
  }
}

function* calling(world: World, { faults }: Bounds, { work, approval, number, key, mayOrder, isFirst }: Taken): Steps {
  const known = world.orders.find((order) => order.key === key && !order.isForgotten);
  const answered = (from: World, says: Answer['says']): World => sent(from, { kind: 'answer', work, number, says });
  const about = `attempt ${number} of ${nameOf(work, approval)}`;
  if (known) {
    yield {
      name: isFirst ? 'submit' : 'look up',
      next: answered(world, known.status),
      words: () => `the provider knows ${about}: ${known.status}`,
    };
  } else if ((mayOrder || faults.has('resubmitted-after-acknowledgement')) && world.orders.length < 3) {
    const order: Order = { work, key, status: 'submitted', isForgotten: false };
    const next = answered({ ...world, orders: [...world.orders, order] }, 'submitted');
    yield { name: 'submit', next, words: () => `the provider gets ${about} as a new order, ${key}` };
  } else {
    yield { name: 'look up', next: answered(world, 'unknown'), words: () => `the provider does not know ${about}` };
  }
}

/**
 * In whichever database the connection reaches, where the work's payment has the same id: the provider's answer is true
 * in all of them.
 */
function* recording(world: World, { work, number, says }: Answer): Steps {
  for (const { history, rows, ...each } of reachable(world)) {
    const payment = each.work === work ? rows.payments[0] : undefined;
    const attempt = payment?.attempts[number - 1];
    if (!payment || !attempt || attempt.status === 'settled' || attempt.status === 'declined') continue;
    const heard: Partial<Attempt> = says === 'unknown' ? { hasAlarm: true } : { status: says, hasAlarm: false };
    const attempts = replaced(payment.attempts, number - 1, { ...attempt, ...heard });
    const status = says === 'settled' ? 'completed' : says === 'declined' ? 'failed' : payment.status;
    const next = withPayment(world, { history, work, payment }, { attempts, status });
    yield {
      name: 'record answer',
      next,
      words: () =>
        `that attempt ${number} of ${nameOf(work, payment.approval)} is ${says} is recorded in ${historyOf(history)}`,
    };
  }
}

function becoming(world: World, place: number, order: Order): Step<World> {
  const next = { ...world, orders: replaced(world.orders, place, order) };
  return { name: 'provider settles', next, words: () => `at the provider, the order ${order.key} is ${order.status}` };
}

/**
 * A provider remembers a key for longer than a process can be suspended or a restore can go back: it forgets a key only
 * if no database or copy still holds it as unacknowledged, and no process is about to send it.
 */
function forgetting(world: World, place: number, order: Order): Step<World> {
  const flying = world.flying.filter((each) => each.kind !== 'attempt' || each.key !== order.key);
  const next = { ...world, flying, orders: replaced(world.orders, place, { ...order, isForgotten: true }) };
  return { name: 'provider forgets', next, words: () => `long after, the provider forgets the order ${order.key}` };
}

function mayForget({ databases, copy }: World, { work, isForgotten }: Order): boolean {
  const isAcknowledged = ({ attempts }: Payment): boolean =>
    attempts.length > 0 && attempts.every(({ status }) => status !== 'prepared');
  const everywhere = [...databases, copy].filter((database) => database !== null).map((database) => database[work]!);
  return !isForgotten && everywhere.every(({ payments }) => payments.length > 0 && payments.every(isAcknowledged));
}
