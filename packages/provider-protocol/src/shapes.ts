import { isDecimal, isInstant, PAYMENT_METHODS } from '@payroll/kernel';
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
export type Period = Static<typeof period>;

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
export const isPeriod = checkOf<Period>(Compile(period));
export const isStatementLine = checkOf<StatementLine>(Compile(statementLine));

function checkOf<Shape>(validator: { Check: (value: unknown) => boolean }) {
  return (value: unknown): value is Shape => validator.Check(value);
}
