import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, systemOrigin } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import { as, columns, read, sql, write } from '@payroll/store';
import { metrics, step } from '@payroll/telemetry';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { isNews, mayBeOrdered, type KnownPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { PaymentTable } from '../store/tables.js';
import { survive } from './process-due.js';
import type { PayoutProvider } from './provider.js';
import { resumeTrace } from './resume-trace.js';

type AskProviderParts = Pick<ServiceParts, 'em' | 'commands' | 'log'> & { provider: PayoutProvider };

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
    const taken = await takeOpenAttempts(parts.em);
    const following = taken.map((attempt) => survive(parts.log, attempt.paymentId, () => follow(parts, attempt)));
    followed = await Promise.all(following);
  } while (followed.includes(true) && !stopping?.aborted);
}

async function follow(parts: AskProviderParts, attempt: OpenAttempt): Promise<void> {
  await resumeTrace(attempt, 'follow the payout', () => askAbout(parts, attempt));
}

async function askAbout({ em, commands, provider }: AskProviderParts, attempt: OpenAttempt): Promise<void> {
  const { workspaceId, paymentId, order, status, alarm } = attempt;
  const open = { ...order, status, alarm };
  const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
  const known = attempt.isFirstPoll ? null : await asked(() => provider.lookUp(order, signal));
  // Before it is acknowledged, "not found" is no refusal: the same order goes out, and whichever copy arrives counts once.
  const heard = known ?? (mayBeOrdered(open) ? await asked(() => provider.submit(order, signal)) : null);
  if (!isNews(open, heard)) return await askLater(em, attempt);
  const origin = systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
  await commands.run(recordPayoutAnswer, { paymentId, attempt: order.attempt, heard }, origin);
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
      returning ${columns(PayoutAttemptTable, 'workspaceId', 'paymentId', 'polls', 'status', 'alarm')},
        ${columns(PayoutAttemptTable, 'number', 'idempotencyKey', 'payoutMethod', 'destination', 'currency', 'amount')},
        ${as('leasedUntil', 'timestamptz', sql`next_poll_at`)},
        ${as('isRecent', 'boolean', sql`created_at > clock_timestamp() - interval '1 h'`)},
        (select ${columns(PaymentTable, 'traceparent')} from payment
          where payment.workspace_id = payout_attempt.workspace_id and payment.id = payment_id)`,
  );
  return taken.map(({ polls, number, idempotencyKey, payoutMethod, destination, currency, amount, ...attempt }) => ({
    ...attempt,
    // Never taken before, so the provider cannot know it.
    isFirstPoll: polls === 1,
    order: { idempotencyKey, attempt: number, payoutMethod, destination, amount: { amount, currency } },
  }));
}
