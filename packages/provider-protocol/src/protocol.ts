import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isDecimal, isInstant, PAYMENT_METHODS, parseJson } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const decimal = Type.Refine(Type.String({ maxLength: 40 }), isDecimal, () => 'must be a decimal');
const instant = Type.Refine(Type.String(), isInstant, () => 'must be a UTC timestamp');
const key = Type.String({ minLength: 1, maxLength: 128 });

/** The amount and the payee. */
const terms = {
  amount: decimal,
  currency: Type.String({ pattern: '^[A-Z]{3,4}$' }),
  method: Type.Enum(PAYMENT_METHODS),
  destination: Type.String({ minLength: 1, maxLength: 1_000 }),
  /** The payer's own id of the payee. The provider does not interpret it and returns it unchanged. */
  recipient: Type.String({ minLength: 1, maxLength: 200 }),
};

/** The body of `POST /payouts`; its name is the header `Idempotency-Key`. */
const order = Type.Object(
  {
    ...terms,
    /** An order that arrives at this moment or later is refused. Without it, a suspended process could order whenever it wakes. */
    validUntil: instant,
  },
  { additionalProperties: false },
);
export type Order = Static<typeof order>;

/** The body of `POST /payouts/{key}/cancel`. An order that never arrived is declined on these terms. */
const cancellation = Type.Object(terms, { additionalProperties: false });
export type Cancellation = Static<typeof cancellation>;

/** An order as the provider knows it. Open to further fields: the provider may be newer. */
const payout = Type.Object({
  ...terms,
  idempotencyKey: key,
  reference: Type.String({ minLength: 1, maxLength: 200 }),
  status: Type.Enum(['submitted', 'settled', 'declined']),
});
export type Payout = Static<typeof payout>;

/** A page of the orders that the provider has, oldest first. `next` is null on the last one. */
const orderPage = Type.Object({
  orders: Type.Array(Type.Object({ ...payout.properties, orderedAt: instant })),
  next: Type.Union([Type.String({ minLength: 1, maxLength: 300 }), Type.Null()]),
});
export type OrderPage = Static<typeof orderPage>;

/** The body of the provider's own 404. A 404 without it is from a proxy and does not mean that the order is unknown. */
const notFound = Type.Object({ code: Type.Literal('PAYOUT_NOT_FOUND'), idempotencyKey: key });

/** A hint that an order has changed; its state has to be fetched. */
const callback = Type.Object({ idempotencyKey: key });
export type Callback = Static<typeof callback>;

/** The first line of a statement: its period, `to` excluded. */
const period = Type.Object({ from: instant, to: instant });
type Period = Static<typeof period>;

/** A payout that was settled or declined within the period. */
const statementLine = Type.Object({
  ...payout.properties,
  status: Type.Enum(['settled', 'declined']),
  finishedAt: instant,
});
export type StatementLine = Static<typeof statementLine>;

export const isOrder = checkOf<Order>(Compile(order));
export const isCancellation = checkOf<Cancellation>(Compile(cancellation));
export const isOrderPage = checkOf<OrderPage>(Compile(orderPage));
export const isPayout = checkOf<Payout>(Compile(payout));
export const isNotFound = checkOf<Static<typeof notFound>>(Compile(notFound));
export const isCallback = checkOf<Callback>(Compile(callback));
const isPeriod = checkOf<Period>(Compile(period));
const isStatementLine = checkOf<StatementLine>(Compile(statementLine));

function checkOf<Shape>(validator: { Check: (value: unknown) => boolean }) {
  return (value: unknown): value is Shape => validator.Check(value);
}

/** The headers of a callback: when it was signed, in ms since 1970, and `v1=` with the hex digits of its HMAC-SHA-256. */
export const CALLBACK_HEADERS = { timestamp: 'payout-timestamp', signature: 'payout-signature' } as const;

/** Covers clock skew and network delay; an older request is refused as a replay. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

export function signCallback(key: KeyObject, timestamp: string, body: string | Buffer): string {
  return `v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** Whether the holder of the key signed exactly this body, within the window around `nowMs`. */
export function isGenuine(
  key: KeyObject,
  { timestamp, signature }: { timestamp: unknown; signature: unknown },
  body: Buffer,
  nowMs: number,
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false;
  const [expected, given] = [Buffer.from(signCallback(key, timestamp, body)), Buffer.from(signature)];
  const isSigned = expected.length === given.length && timingSafeEqual(expected, given);
  return isSigned && Math.abs(nowMs - Number(timestamp)) <= REPLAY_WINDOW_MS;
}

/** The provider's settled and declined payouts, over periods that need not be contiguous. */
export interface Statement {
  periods: Period[];
  lines: StatementLine[];
}

/** Lines of JSON: a period, then what was settled or declined in it; files may follow one another. @throws Error naming the line */
export function readStatement(text: string): Statement {
  const statement: Statement = { periods: [], lines: [] };
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (isStatementLine(value) && statement.periods.length > 0) statement.lines.push(value);
    else if (isPeriod(value)) statement.periods.push(value);
    else throw new Error(`line ${at + 1} of the statement is no period, and no payout of one`);
  }
  if (statement.periods.length === 0) throw new Error('the statement is empty: its first line is a period');
  return statement;
}

export function writeStatement(period: Period, lines: readonly StatementLine[]): string {
  return [period, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
