import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, systemOrigin, type Instant } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import { as, columns, read, sql, write } from '@payroll/store';
import { metrics, step } from '@payroll/runtime';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { isNews, mayBeOrdered, type KnownPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { PaymentTable } from '../store/tables.js';
import { survive } from './process-due.js';
import { orderOf, type OrderingProvider } from './provider.js';
import { resumeTrace } from './resume-trace.js';

type AskProviderParts = Pick<ServiceParts, 'em' | 'commands' | 'log'> & { provider: OrderingProvider };

/** Taken at a time, and asked about concurrently: leaves room in a pool of ten. */
const BATCH = 4;
const PROVIDER_DEADLINE_MS = 10_000;

/**
 * Any number of processes may do this at the same time, and may be killed at any point. A provider that answers about none of
 * those taken is left alone until the next time.
 */
export async function askProvider(parts: AskProviderParts, stopping?: AbortSignal): Promise<void> {
  let followed: boolean[];
  do {
    // Runs from before the attempts are taken: while a process is suspended, so is whatever it measures afterwards.
    const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
    const taken = await takeOpenAttempts(parts.em);
    const following = taken.map((attempt) =>
      survive(parts.log, attempt.paymentId, () => follow(parts, attempt, signal)),
    );
    followed = await Promise.all(following);
  } while (followed.includes(true) && !stopping?.aborted);
}

async function follow(parts: AskProviderParts, attempt: OpenAttempt, signal: AbortSignal): Promise<void> {
  await resumeTrace(attempt, 'follow the payout', () => askAbout(parts, attempt, signal));
}

async function askAbout(parts: AskProviderParts, attempt: OpenAttempt, signal: AbortSignal): Promise<void> {
  const { em, commands, provider } = parts;
  const { workspaceId, paymentId, order, status, alarm, heard: before } = attempt;
  const open = { ...order, status, alarm, heard: before };
  let heard = attempt.isFirstPoll ? null : await asked(() => provider.lookUp(order, signal));
  if (heard === null && mayBeOrdered(open)) {
    const validUntil = await mayBeOrderedUntil(em, attempt);
    if (validUntil === null) return;
    // Before it is acknowledged, "not found" is no refusal: the same order goes out, and whichever copy arrives counts once.
    heard = await asked(() => provider.submit({ ...order, validUntil }, signal));
  }
  if (!isNews(open, heard)) return await askLater(em, attempt);
  const origin = systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
  await commands.run(recordPayoutAnswer, { paymentId, attempt: order.attempt, heard }, origin);
}

/**
 * Read again just before an order leaves: since the attempt was taken, this process may have been suspended, the attempt
 * ended by two people, or the database replaced. Null when another process has taken it up meanwhile, or may.
 */
async function mayBeOrderedUntil(em: EntityManager, attempt: OpenAttempt): Promise<Instant | null> {
  const { workspaceId, paymentId, order, leasedUntil } = attempt;
  const [row] = await read(
    em,
    sql`select ${as('validUntil', 'timestamptz', sql`next_poll_at`)} from payout_attempt
      where workspace_id = ${workspaceId} and payment_id = ${paymentId} and number = ${order.attempt}
        and status = 'prepared' and alarm is null
        and next_poll_at = ${leasedUntil} and next_poll_at > clock_timestamp()`,
  );
  return row?.validUntil ?? null;
}

async function asked<Answer extends KnownPayout | null>(call: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now();
  let outcome = 'error';
  try {
    const answer = await step('ask payout provider', { kind: 'client' }, call);
    outcome = answer?.status ?? 'not_found';
    return answer;
  } finally {
    metrics.payoutCalls.since(startedAt, { outcome });
  }
}

type OpenAttempt = Awaited<ReturnType<typeof takeOpenAttempts>>[number];

/** Longer than a provider is waited for. What went wrong on either side is made up for as soon as it is over. */
const LEASE = sql`interval '15 s'`;

/** What has been under way for long is asked about less often, in as long again: but for callbacks, at most 1 h. */
const PAUSE = sql`least(greatest(clock_timestamp() - created_at, ${LEASE}), interval '1 h')`;

/** Unless a callback has asked for sooner meanwhile. */
async function askLater(em: EntityManager, { workspaceId, paymentId, order, leasedUntil }: OpenAttempt): Promise<void> {
  await write(
    em,
    sql`update payout_attempt set next_poll_at = clock_timestamp() + ${PAUSE}
      where workspace_id = ${workspaceId} and payment_id = ${paymentId} and number = ${order.attempt}
        and next_poll_at = ${leasedUntil} and status in ('prepared', 'submitted')`,
  );
}

/** Skips what another process is taking. Once its lease is over any process takes it again: a crash needs no more. */
async function takeOpenAttempts(em: EntityManager) {
  const taken = await read(
    em,
    sql`update payout_attempt set polls = polls + 1, next_poll_at = clock_timestamp() + ${LEASE}
      where (workspace_id, payment_id, number) in (
        select workspace_id, payment_id, number from payout_attempt
        where status in ('prepared', 'submitted') and (next_poll_at is null or next_poll_at <= clock_timestamp())
        order by next_poll_at nulls first limit ${BATCH} for update skip locked)
      returning ${columns(PayoutAttemptTable, 'workspaceId', 'paymentId', 'polls', 'status', 'alarm', 'heard')},
        ${columns(PayoutAttemptTable, 'number', 'idempotencyKey', 'payoutMethod', 'destination', 'currency', 'amount', 'workerId')},
        ${as('leasedUntil', 'timestamptz', sql`next_poll_at`)},
        ${as('isRecent', 'boolean', sql`created_at > clock_timestamp() - interval '1 h'`)},
        (select ${columns(PaymentTable, 'traceparent')} from payment
          where payment.workspace_id = payout_attempt.workspace_id and payment.id = payment_id)`,
  );
  return taken.map(({ polls, ...attempt }) => ({
    ...attempt,
    // Never taken before, so the provider cannot know it.
    isFirstPoll: polls === 1,
    order: orderOf(attempt),
  }));
}
