import type { EntityManager } from '@mikro-orm/postgresql';
import { amountProblem, newId, systemOrigin } from '@payroll/kernel';
import { resumeTrace } from '@payroll/messaging';
import type { ServiceParts } from '@payroll/service';
import { as, columns, read, sql } from '@payroll/store';
import { metrics, step } from '@payroll/telemetry';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { isNews, mayBeOrdered, type KnownPayout } from '../domain/payout.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { survive } from './process-due.js';
import type { PayoutProvider } from './provider.js';

type AskProviderParts = Pick<ServiceParts, 'em' | 'commands' | 'log'> & { provider: PayoutProvider };

/** Taken at a time, and asked about concurrently: leaves room in a pool of ten. */
const BATCH = 4;
const PROVIDER_DEADLINE_MS = 10_000;

/** Any number of processes may do this at the same time, and may be killed at any point. */
export async function askProvider(parts: AskProviderParts, stopping?: AbortSignal): Promise<void> {
  let taken: OpenAttempt[];
  do {
    taken = await takeOpenAttempts(parts.em);
    await Promise.all(taken.map((attempt) => survive(parts.log, attempt.paymentId, () => follow(parts, attempt))));
  } while (taken.length > 0 && !stopping?.aborted);
}

async function follow(parts: AskProviderParts, attempt: OpenAttempt): Promise<void> {
  const about = { workspaceId: attempt.workspaceId, aboutId: attempt.paymentId };
  await resumeTrace(parts.em, about, 'follow the payout', () => askAbout(parts, attempt));
}

async function askAbout({ commands, provider }: AskProviderParts, attempt: OpenAttempt): Promise<void> {
  const { workspaceId, paymentId, order, status, alarm } = attempt;
  const open = { ...order, status, alarm };
  const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
  const known = attempt.isFirstLook && isPayable(attempt) ? null : await asked(() => provider.lookUp(order, signal));
  // Before it is acknowledged, "not found" is no refusal: the same order goes out, and whichever copy arrives counts once.
  const heard = known ?? (mayBeOrdered(open) ? await send(provider, attempt, signal) : null);
  if (!isNews(open, heard)) return;
  const origin = systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
  await commands.run(recordPayoutAnswer, { paymentId, attempt: order.attempt, heard }, origin);
}

/** What no bank can pay is never sent: it counts as declined, unless an earlier release may have sent it. */
async function send(provider: PayoutProvider, attempt: OpenAttempt, signal: AbortSignal): Promise<KnownPayout | null> {
  const { order, isFirstLook } = attempt;
  if (isPayable(attempt)) return await asked(() => provider.submit(order, signal));
  return isFirstLook ? { ...order, status: 'declined', reference: 'never sent' } : null;
}

function isPayable({ order }: OpenAttempt): boolean {
  return amountProblem(order.amount) === null;
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

/** 15 s, which is longer than a provider is waited for; doubling with every look, at most 1 h. */
const LEASE = sql`least(interval '15 s' * power(2, least(looks, 10)), interval '1 h')`;

/** The release before submitted attempts under this key; some have no stored one. */
const KEY = sql`coalesce(idempotency_key, payment_id || ':' || number)`;

/** Skips what another process is taking. Once its lease is over any process takes it again: a crash needs no more. */
async function takeOpenAttempts(em: EntityManager) {
  const taken = await read(
    em,
    sql`update payout_attempt set looks = looks + 1, ask_at = clock_timestamp() + ${LEASE}
      where (workspace_id, payment_id, number) in (
        select workspace_id, payment_id, number from payout_attempt
        where status in ('prepared', 'submitted') and (ask_at is null or ask_at <= clock_timestamp())
        order by ask_at nulls first limit ${BATCH} for update skip locked)
      returning ${columns(PayoutAttemptTable, 'workspaceId', 'paymentId', 'looks', 'status', 'alarm')},
        ${columns(PayoutAttemptTable, 'number', 'payoutMethod', 'destination', 'currency', 'amount')},
        ${as('idempotencyKey', 'text', KEY)}`,
  );
  return taken.map(({ looks, number, idempotencyKey, payoutMethod, destination, currency, amount, ...attempt }) => ({
    ...attempt,
    // Never taken before, so the provider cannot know it.
    isFirstLook: looks === 1,
    order: { idempotencyKey, attempt: number, payoutMethod, destination, amount: { amount, currency } },
  }));
}
