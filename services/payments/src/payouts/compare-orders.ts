import type { EntityManager } from '@mikro-orm/postgresql';
import { WORK_QUESTION, type WorkAnswer, type WorkQuestion } from '@payroll/events';
import { isCurrency, Money, newId, type Instant } from '@payroll/kernel';
import type { OrderPage } from '@payroll/provider-protocol';
import type { ServiceParts } from '@payroll/service';
import { as, GENERATION, read, sql, write } from '@payroll/store';
import { originOf } from '../domain/unclaimed-order.js';
import { IS_COMPARED } from '../store/is-compared.js';
import type { PayoutProvider } from './provider.js';

type CompareParts = Pick<ServiceParts, 'em' | 'bus' | 'log'> & { provider: Pick<PayoutProvider, 'ordersSince'> };
type ProviderOrder = OrderPage['orders'][number];

/**
 * Longer than the validity of an order from an earlier generation (its lease, 15 s) by a provider's clock that is
 * some seconds off: earlier, the provider's list may be incomplete.
 */
const SETTLING = sql`interval '20 s'`;

/** Longer than clocks differ, and than a transaction takes to commit after it has read the time. */
const OVERLAP = sql`interval '1 h'`;

const PAGE_WITHIN_MS = 10_000;
const ANSWERED_WITHIN_MS = 2_000;

export async function isCompared(em: EntityManager): Promise<boolean> {
  const [row] = await read(em, sql`select ${as('is', 'boolean', IS_COMPARED)}`);
  return row!.is;
}

/**
 * Runs once per database generation: stores the provider's orders that match no attempt here and whose work is
 * missing. Submitted again, that work would have another id and be paid a second time (ADR 04). Safe in several
 * processes at once; after a failure, the next round starts over.
 */
export async function compareOrders(parts: CompareParts, stopping?: AbortSignal): Promise<void> {
  const { em, provider } = parts;
  if (await isCompared(em)) return;
  const check = await dueCheck(em);
  if (!check) return;
  let after: string | null = null;
  do {
    const page = await provider.ordersSince(check.since, after, AbortSignal.timeout(PAGE_WITHIN_MS));
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
  const newest = sql`(select max(created_at) from payout_attempt)`;
  const [check] = await read(
    em,
    sql`select ${as('generation', 'text', sql`generation`)},
        ${as('since', 'timestamptz', sql`coalesce(${newest} - ${OVERLAP}, '1970-01-01T00:00:00Z')`)}
      from order_check as here
      where generation = ${GENERATION} and (seen_at <= clock_timestamp() - ${SETTLING}
        or not exists (select from order_check as other where other.generation <> here.generation))`,
  );
  return check ?? null;
}

async function keepUnclaimed(parts: CompareParts, generation: string, orders: readonly ProviderOrder[]): Promise<void> {
  const paid = orders.filter(({ status }) => status !== 'declined');
  const keys = paid.map(({ idempotencyKey }) => idempotencyKey);
  const unknown = await read(
    parts.em,
    sql`select ${as('key', 'text', sql`key`)} from unnest(${keys}::text[]) as key
      where not exists (select from payout_attempt where idempotency_key = key)
        and not exists (select from unclaimed_order where idempotency_key = key)`,
  );
  const isUnknown = new Set(unknown.map(({ key }) => key));
  for (const order of paid) if (isUnknown.has(order.idempotencyKey)) await keepIfLost(parts, generation, order);
}

/**
 * Work that still exists keeps its key when it is approved again, so the provider pays it once and no payout is held.
 */
async function keepIfLost({ em, bus, log }: CompareParts, generation: string, order: ProviderOrder): Promise<void> {
  const { idempotencyKey, currency, amount } = order;
  const origin = originOf(order);
  if (!origin || !isCurrency(currency)) {
    log.error({ idempotencyKey }, 'The provider has an order that this system cannot have made');
    return;
  }
  const { workspaceId, workerId, kind, sourceId: id } = origin;
  const question: WorkQuestion = { workspaceId, kind, id };
  const answer = (await bus.request(WORK_QUESTION, question, ANSWERED_WITHIN_MS)) as WorkAnswer;
  if (answer.generation !== generation) throw new Error('review has answered from another database generation');
  if (answer.isKnown) return;
  log.error(
    { workspaceId, idempotencyKey },
    'The provider has an order whose work is missing here: payouts to its worker are held',
  );
  await write(
    em,
    sql`insert into unclaimed_order (workspace_id, id, status, idempotency_key, worker_id, payout_method, destination,
        currency, amount, provider_reference, ordered_at, created_at, updated_at)
      select ${workspaceId}, ${newId()}, 'open', ${idempotencyKey}, ${workerId}, ${order.method}, ${order.destination},
        ${currency}, ${Money.stored(amount, currency).amount}, ${order.reference}, ${order.orderedAt}::timestamptz,
        clock_timestamp(), clock_timestamp()
      where ${generation} = ${GENERATION}
      on conflict do nothing`,
  );
}
