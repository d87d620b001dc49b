import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, systemOrigin, type Instant } from '@payroll/kernel';
import { roundTime, type ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql, write, type Sql } from '@payroll/store';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { changesAttempt, canBeSubmitted, type ProviderPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { PaymentTable } from '../store/tables.js';
import { runAndLog } from './process-due.js';
import { orderOf, type OrderingProvider, timedCall } from './provider.js';
import { resumeTrace } from './resume-trace.js';

type PollDependencies = Pick<ServiceDependencies, 'em' | 'commands' | 'log'> & { provider: OrderingProvider };

/** Attempts leased and polled concurrently: leaves room in a pool of ten. */
const BATCH = 4;
const PROVIDER_DEADLINE_MS = 10_000;

/**
 * Polls the provider about open attempts. Each attempt is leased, so several processes may run this and any may be
 * killed. Ends the round when every attempt of a batch failed: the provider is probably down.
 */
export async function pollProvider(parts: PollDependencies, stopping?: AbortSignal): Promise<void> {
  const isOver = roundTime();
  let followed: boolean[];
  do {
    const taken = await takeOpenAttempts(parts.em);
    const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
    const following = taken.map((attempt) =>
      runAndLog(parts.log, attempt.paymentId, () => follow(parts, attempt, signal)),
    );
    followed = await Promise.all(following);
  } while (followed.includes(true) && !stopping?.aborted && !isOver());
}

async function follow(parts: PollDependencies, attempt: OpenAttempt, signal: AbortSignal): Promise<void> {
  await resumeTrace(attempt, 'follow the payout', () => askAbout(parts, attempt, signal));
}

async function askAbout(parts: PollDependencies, attempt: OpenAttempt, signal: AbortSignal): Promise<void> {
  const { em, commands, provider } = parts;
  const { workspaceId, paymentId, order, status, alarm, heard: before } = attempt;
  const open = { ...order, status, alarm, heard: before };
  let heard = attempt.isFirstPoll ? null : await timedCall(() => provider.lookUp(order, signal), outcomeOf);
  if (heard === null && canBeSubmitted(open)) {
    const validUntil = await mayBeOrderedUntil(em, attempt);
    if (validUntil === null) return;
    // Until it is acknowledged, "not found" is not final: submit the same order; its key makes copies harmless.
    heard = await timedCall(() => provider.submit({ ...order, validUntil }, signal), outcomeOf);
  }
  if (!changesAttempt(open, heard)) return await scheduleNextPoll(em, attempt);
  const origin = systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
  const { number, idempotencyKey } = attempt;
  await commands.run(recordPayoutAnswer, { paymentId, attempt: number, idempotencyKey, heard }, origin);
}

/**
 * Reads the attempt again just before its order is sent: since it was leased, this process may have been suspended,
 * two people may have ended the attempt, or the database may have been replaced. Null if another process has leased
 * it, or may.
 */
async function mayBeOrderedUntil(em: EntityManager, attempt: OpenAttempt): Promise<Instant | null> {
  const { workspaceId, paymentId, number, leasedUntil } = attempt;
  const [row] = await read(
    em,
    sql`select ${computed('validUntil', 'timestamptz', sql`next_poll_at`)} from payout_attempt
      where workspace_id = ${workspaceId} and payment_id = ${paymentId} and number = ${number}
        and status = 'prepared' and alarm is null
        and next_poll_at = ${leasedUntil} and next_poll_at > clock_timestamp()`,
  );
  return row?.validUntil ?? null;
}

const outcomeOf = (answer: ProviderPayout | null): string => answer?.status ?? 'not_found';

type OpenAttempt = Awaited<ReturnType<typeof takeOpenAttempts>>[number];

/**
 * Longer than the deadline for the provider. After a failure on either side, the next poll waits no longer than this.
 */
const LEASE = sql`interval '15 s'`;

/**
 * Back-off: wait as long again as the attempt has been open, from 15 s to 1 h. A callback brings the next poll
 * forward.
 */
const PAUSE = sql`least(greatest(clock_timestamp() - created_at, ${LEASE}), interval '1 h')`;

/** Does not overwrite an earlier poll that a callback has requested. */
async function scheduleNextPoll(
  em: EntityManager,
  { workspaceId, paymentId, number, leasedUntil }: OpenAttempt,
): Promise<void> {
  await write(
    em,
    sql`update payout_attempt set next_poll_at = clock_timestamp() + ${PAUSE}
      where workspace_id = ${workspaceId} and payment_id = ${paymentId} and number = ${number}
        and next_poll_at = ${leasedUntil} and status in ('prepared', 'submitted')`,
  );
}

/**
 * Skips rows that another process is leasing. Any process can lease an attempt again once its lease has expired, so a
 * crash needs no recovery. New attempts and those that are due are two searches, each a range of the index: one search for both
 * would read all attempts that the provider has under way, in each round.
 */
async function takeOpenAttempts(em: EntityManager) {
  // Use a subquery: clock_timestamp() itself is volatile, so Postgres could not use it as an index bound.
  const now = sql`(select clock_timestamp())`;
  const taken = await read(
    em,
    sql`update payout_attempt set polls = polls + 1, next_poll_at = clock_timestamp() + ${LEASE}
      where (workspace_id, payment_id, number) in (
        (select * from (${open(sql`next_poll_at is null`)}) created)
        union all
        (select * from (${open(sql`next_poll_at <= ${now} order by next_poll_at`)}) due)
        limit ${BATCH})
      returning ${columns(PayoutAttemptTable, 'workspaceId', 'paymentId', 'polls', 'status', 'alarm', 'heard')},
        ${columns(PayoutAttemptTable, 'number', 'idempotencyKey', 'payoutMethod', 'destination', 'currency', 'amount', 'workerId')},
        ${computed('leasedUntil', 'timestamptz', sql`next_poll_at`)},
        ${computed('isRecent', 'boolean', sql`created_at > clock_timestamp() - interval '1 h'`)},
        (select ${columns(PaymentTable, 'traceparent')} from payment
          where payment.workspace_id = payout_attempt.workspace_id and payment.id = payment_id)`,
  );
  return taken.map(({ polls, ...attempt }) => ({
    ...attempt,
    // Never leased before, so the provider cannot know it.
    isFirstPoll: polls === 1,
    order: orderOf(attempt),
  }));
}

const open = (which: Sql): Sql =>
  sql`select workspace_id, payment_id, number from payout_attempt
    where status in ('prepared', 'submitted') and ${which} limit ${BATCH} for update skip locked`;
