import type { EntityManager } from '@mikro-orm/postgresql';
import { Money, newId, wasEverCurrency, type Instant } from '@payroll/kernel';
import type { OrderPage } from '@payroll/provider-protocol';
import type { ServiceDependencies } from '@payroll/service';
import { computed, GENERATION, read, readOne, sql, type Sql, write } from '@payroll/store';
import { originOf } from '../domain/unclaimed-order.js';
import { IS_COMPARED } from '../store/holds.js';
import { type PayoutProvider, timedCall } from './provider.js';

type CompareDependencies = Pick<ServiceDependencies, 'em' | 'log'> & { provider: Pick<PayoutProvider, 'ordersSince'> };
type ProviderOrder = OrderPage['orders'][number];

/**
 * Longer than the validity of an order from an earlier generation (its lease, 15 s) by a provider's clock that is
 * some seconds off: earlier, the provider's list may be incomplete.
 */
const SETTLING = sql`interval '20 s'`;

/** Longer than clocks differ, and than a transaction takes to commit after it has read the time. */
const OVERLAP = sql`interval '1 h'`;

const PAGE_WITHIN_MS = 10_000;

export async function isCompared(em: EntityManager): Promise<boolean> {
  const [row] = await read(em, sql`select ${computed('is', 'boolean', IS_COMPARED)}`);
  return row!.is;
}

/**
 * Once in each generation of the database: keeps the provider's orders that no attempt here has made. Their work may be handed
 * in again under another id, and would be paid a second time (ADR 04). Safe in several processes at once; a failure
 * leaves all to the next round.
 */
export async function compareOrders(parts: CompareDependencies, stopping?: AbortSignal): Promise<void> {
  const { em, provider } = parts;
  if (await isCompared(em)) return;
  const check = await dueCheck(em);
  if (!check) return;
  let after: string | null = null;
  do {
    const page = await timedCall(
      () => provider.ordersSince(check.since, after, AbortSignal.timeout(PAGE_WITHIN_MS)),
      () => 'listed',
    );
    await keepUnclaimed(parts, check.generation, page.orders);
    after = page.next;
  } while (after !== null && !stopping?.aborted);
  if (after !== null) return;
  await write(
    em,
    sql`update order_check set checked_at = clock_timestamp()
      where generation = ${check.generation} and generation = ${GENERATION} and checked_at is null`,
  );
}

/**
 * Null while orders of an earlier generation may still arrive. Due at once if there was no earlier generation, since
 * nothing was ordered.
 */
async function dueCheck(em: EntityManager): Promise<{ generation: string; since: Instant } | null> {
  await write(
    em,
    sql`insert into order_check (generation, seen_at) values (${GENERATION}, clock_timestamp()) on conflict do nothing`,
  );
  // Attempts that a clock ahead has dated in the future would hide the orders that are lost.
  const newest = sql`(select max(created_at) from payout_attempt where created_at <= (select clock_timestamp()))`;
  return await readOne(
    em,
    sql`select ${computed('generation', 'text', sql`generation`)},
        ${computed('since', 'timestamptz', sql`coalesce(${newest} - ${OVERLAP}, '1970-01-01T00:00:00Z')`)}
      from order_check as here
      where generation = ${GENERATION} and (seen_at <= clock_timestamp() - ${SETTLING}
        or not exists (select from order_check as other where other.generation <> here.generation))`,
  );
}

async function keepUnclaimed(
  parts: CompareDependencies,
  generation: string,
  orders: readonly ProviderOrder[],
): Promise<void> {
  const paid = orders.filter(({ status }) => status !== 'declined');
  const keys = paid.map(({ idempotencyKey }) => idempotencyKey);
  // A connection may still read the database of an earlier generation, which has the attempts that this one has lost.
  const unknown = await read(
    parts.em,
    sql`select ${computed('key', 'text', sql`key`)} from unnest(${keys}::text[]) as key
      where ${generation} <> ${GENERATION} or (${isNotMade(sql`key`)}
        and not exists (select from unclaimed_order where idempotency_key = key))`,
  );
  const isUnknown = new Set(unknown.map(({ key }) => key));
  for (const order of paid) if (isUnknown.has(order.idempotencyKey)) await keepOrder(parts, generation, order);
}

async function keepOrder({ em, log }: CompareDependencies, generation: string, order: ProviderOrder): Promise<void> {
  const { idempotencyKey, currency, amount } = order;
  const origin = originOf(order);
  if (!origin || !wasEverCurrency(currency)) {
    log.error({ idempotencyKey }, 'The provider has an order that this system cannot have made');
    return;
  }
  const { workspaceId, workerId } = origin;
  const kept = await write(
    em,
    sql`insert into unclaimed_order (workspace_id, id, status, idempotency_key, worker_id, payout_method, destination,
        currency, amount, provider_reference, ordered_at, created_at, updated_at)
      select ${workspaceId}, ${newId()}, 'open', ${idempotencyKey}, ${workerId}, ${order.method}, ${order.destination},
        ${currency}, ${Money.stored(amount, currency).amount}, ${order.reference}, ${order.orderedAt}::timestamptz,
        clock_timestamp(), clock_timestamp()
      where ${generation} = ${GENERATION} and ${isNotMade(sql`${idempotencyKey}::text`)}
      on conflict do nothing`,
  );
  if (kept > 0) log.error({ workspaceId, idempotencyKey }, 'The provider has an order that no payment here has made');
}

const isNotMade = (key: Sql): Sql => sql`not exists (select from payout_attempt where idempotency_key = ${key})`;
