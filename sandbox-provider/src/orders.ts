import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Cancellation, Order, Payout, StatementLine } from '@payroll/provider-protocol';

/** The state of an order: a lost one is unknown, an accepted one settles soon, a held one stays under way. */
const ORDER_STATES = ['lost', 'accepted', 'held', 'settled', 'declined'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** An order with all that became of it; moments are ISO 8601. */
export interface KnownOrder extends Omit<Order, 'validUntil'> {
  idempotencyKey: string;
  state: OrderState;
  /** How often it was ordered; of one that was forgotten, since then. */
  submissions: number;
  /** It was acknowledged and forgotten; ordering it again may pay twice. */
  forgotten: 0 | 1;
  orderedAt: string;
  finishedAt: string | null;
}

const states = ORDER_STATES.map((state) => `'${state}'`).join(', ');

const TABLE = `create table if not exists orders (
  idempotencyKey text primary key, state text not null check (state in (${states})), submissions integer not null default 1,
  forgotten integer not null default 0, amount text not null, currency text not null, method text not null,
  destination text not null, recipient text not null, orderedAt text not null, finishedAt text, tellAt text, tellings integer not null default 0) strict;
  create index if not exists orders_by_time on orders (orderedAt, idempotencyKey);
  create index if not exists orders_accepted on orders (orderedAt) where state = 'accepted';
  create index if not exists orders_to_tell on orders (tellAt) where tellAt is not null;
  create index if not exists orders_finished on orders (finishedAt)`;

const SHOWN =
  'idempotencyKey, state, submissions, forgotten, amount, currency, method, destination, recipient, orderedAt, finishedAt';

/** Destinations are in it. SQLite gives the files beside it (`-wal`, `-shm`) the same mode. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** The provider's books: a file of its own, which no restore, outage or disk of the system's databases touches. */
export class Orders implements Disposable {
  private readonly db: DatabaseSync;

  /**
   * @param file `:memory:` keeps nothing
   * @param now its clock, which decides whether an order is still valid
   */
  constructor(
    file: string,
    private readonly now: () => Date = () => new Date(),
  ) {
    if (file !== ':memory:') keepPrivate(file);
    this.db = new DatabaseSync(file);
    this.db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000; ${TABLE}`);
  }

  /** A key is ordered once. An order that got lost arrives when it is sent again, with its first terms. */
  submit(idempotencyKey: string, order: Omit<Order, 'validUntil'>, arrivesAs: OrderState): KnownOrder {
    const arrives = `case state when 'lost' then 'settled' else state end`;
    const lost = `case when state = 'lost' then`;
    return this.one(
      `insert into orders (idempotencyKey, state, amount, currency, method, destination, recipient, orderedAt, finishedAt, tellAt)
        values (@idempotencyKey, @state, @amount, @currency, @method, @destination, @recipient, @now,
          case when @state in ('settled', 'declined') then @now end, case when @state in ('settled', 'declined') then @now end)
        on conflict do update set submissions = submissions + 1, state = ${arrives},
          finishedAt = ${lost} @now else finishedAt end, tellAt = ${lost} @now else tellAt end
        returning ${SHOWN}`,
      { ...order, idempotencyKey, state: arrivesAs, now: this.at() },
    )!;
  }

  isOver(validUntil: string): boolean {
    return Date.parse(validUntil) <= this.now().getTime();
  }

  /** An order that has not arrived is declined permanently; any other is unchanged. */
  cancel(idempotencyKey: string, terms: Cancellation): KnownOrder {
    return this.one(
      `insert into orders (idempotencyKey, state, submissions, amount, currency, method, destination, recipient, orderedAt, finishedAt)
        values (@idempotencyKey, 'declined', 0, @amount, @currency, @method, @destination, @recipient, @now, @now)
        on conflict do update set state = case state when 'lost' then 'declined' else state end,
          finishedAt = case state when 'lost' then @now else finishedAt end
        returning ${SHOWN}`,
      { ...terms, idempotencyKey, now: this.at() },
    )!;
  }

  /** An order that was only accepted is settled by the first look at it. */
  lookUp(idempotencyKey: string): KnownOrder | undefined {
    this.end('settled', `idempotencyKey = @idempotencyKey and state = 'accepted'`, { idempotencyKey });
    return this.find(idempotencyKey);
  }

  find(idempotencyKey: string): KnownOrder | undefined {
    return this.one(`select ${SHOWN} from orders where idempotencyKey = @idempotencyKey`, { idempotencyKey });
  }

  every(): KnownOrder[] {
    return this.all(`select ${SHOWN} from orders order by orderedAt, idempotencyKey`, {});
  }

  /** The orders since that time, oldest first; after a given order, if there is one. */
  orderedSince(
    since: string,
    after: { orderedAt: string; idempotencyKey: string } | null,
    limit: number,
  ): KnownOrder[] {
    return this.all(
      `select ${SHOWN} from orders where state <> 'lost' and orderedAt >= @since
        and (orderedAt, idempotencyKey) > (@orderedAt, @idempotencyKey)
        order by orderedAt, idempotencyKey limit ${limit}`,
      { since, orderedAt: after?.orderedAt ?? '', idempotencyKey: after?.idempotencyKey ?? '' },
    );
  }

  /** Treats them as never received; settled and declined orders stay. */
  forget(idempotencyKeys: readonly string[]): string[] {
    const statement = `update orders set state = 'lost', forgotten = 1, submissions = 0
      where idempotencyKey = @idempotencyKey and state in ('accepted', 'held') returning ${SHOWN}`;
    const forgotten = idempotencyKeys.flatMap((idempotencyKey) => this.all(statement, { idempotencyKey }));
    return forgotten.map(({ idempotencyKey }) => idempotencyKey);
  }

  /** Orders accepted before that moment are settled. */
  settle(before: Date): void {
    this.end('settled', `state = 'accepted' and orderedAt < @before`, { before: before.toISOString() });
  }

  /** A test decides an order that is under way; a settled or declined one is final. */
  finish(idempotencyKey: string, state: 'settled' | 'declined'): KnownOrder | undefined {
    this.end(state, `idempotencyKey = @idempotencyKey and state in ('accepted', 'held')`, { idempotencyKey });
    return this.find(idempotencyKey);
  }

  toTell(limit: number): KnownOrder[] {
    return this.all(`select ${SHOWN} from orders where tellAt <= @now order by tellAt limit ${limit}`, {
      now: this.at(),
    });
  }

  /** A callback that was not received is repeated at growing intervals, for two days. */
  told(idempotencyKey: string, wasHeard: boolean): void {
    const later = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || min(1 << tellings, 3600) || ' seconds')`;
    this.db
      .prepare(
        `update orders set tellings = tellings + 1, tellAt = case when @wasHeard or tellings > 60 then null else ${later} end
          where idempotencyKey = @idempotencyKey`,
      )
      .run({ idempotencyKey, wasHeard: wasHeard ? 1 : 0 });
  }

  finishedBetween(from: string, to: string): StatementLine[] {
    const rows = this.all(
      `select ${SHOWN} from orders where finishedAt >= @from and finishedAt < @to order by finishedAt, idempotencyKey`,
      { from, to },
    );
    return rows.map((row) => ({ ...toPayout(row), status: row.state as 'settled', finishedAt: row.finishedAt! }));
  }

  [Symbol.dispose](): void {
    this.db.close();
  }

  /** Ends the orders that fit the condition. The payer is called back. */
  private end(state: 'settled' | 'declined', condition: string, values: Record<string, string>): void {
    const update = `update orders set state = @state, finishedAt = @now, tellAt = @now where ${condition} returning ${SHOWN}`;
    this.all(update, { ...values, state, now: this.at() });
  }

  private at(): string {
    return this.now().toISOString();
  }

  private one(statement: string, values: Record<string, string>): KnownOrder | undefined {
    return this.all(statement, values)[0];
  }

  private all(statement: string, values: Record<string, string>): KnownOrder[] {
    return this.db.prepare(statement).all(values) as unknown as KnownOrder[];
  }
}

/** An order as the payer sees it; a lost order is not found. */
export function toPayout({ idempotencyKey, state, ...order }: KnownOrder): Payout {
  const { amount, currency, method, destination, recipient } = order;
  const status = state === 'settled' || state === 'declined' ? state : 'submitted';
  const terms = { amount, currency, method, destination, recipient };
  return { idempotencyKey, reference: `sandbox-${idempotencyKey}`, status, ...terms };
}
