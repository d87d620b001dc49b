import type { EntityManager } from '@mikro-orm/postgresql';
import { amountProblem, newId, systemOrigin } from '@payroll/kernel';
import { resumeTrace } from '@payroll/messaging';
import type { Log } from '@payroll/process';
import type { CommandRunner } from '@payroll/store';
import { metrics, step } from '@payroll/telemetry';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { takeOpenAttempts, type OpenAttempt } from './open-attempts.js';
import { isNews, mayBeOrdered, type KnownPayout } from '../domain/payout.js';
import type { PayoutProvider } from './provider.js';
import { survive } from './survive.js';

export interface AskProviderParts {
  em: EntityManager;
  commands: CommandRunner;
  provider: PayoutProvider;
  log: Log;
}

/** Taken at a time, and asked about at the same time; leaves room in a pool of ten. */
const BATCH = 4;
const PROVIDER_DEADLINE_MS = 10_000;

/**
 * Submits or looks up every attempt without a last word, and records what the provider says. Any number of processes may
 * do this at the same time, and may be killed anywhere.
 */
export async function askProvider(parts: AskProviderParts): Promise<void> {
  let taken: OpenAttempt[];
  do {
    taken = await takeOpenAttempts(parts.em, BATCH);
    await Promise.all(taken.map((attempt) => survive(parts.log, attempt.paymentId, () => follow(parts, attempt))));
  } while (taken.length > 0);
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
  // Before it is acknowledged "not found" is no refusal: the same order goes out, and whichever copy arrives counts once.
  const heard = known ?? (mayBeOrdered(open) ? await send(provider, attempt, signal) : null);
  if (!isNews(open, heard)) return;
  const origin = systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
  await commands.run(recordPayoutAnswer, { paymentId, attempt: order.attempt, heard }, origin);
}

/**
 * What no bank can pay is never sent, also where it was prepared before anybody asked: it is as good as declined. Where an
 * older release may have sent it, a person has to find out.
 */
async function send(provider: PayoutProvider, attempt: OpenAttempt, signal: AbortSignal): Promise<KnownPayout | null> {
  const { order, isFirstLook } = attempt;
  if (isPayable(attempt)) return await asked(() => provider.submit(order, signal));
  return isFirstLook ? { ...order, status: 'declined', reference: 'never sent' } : null;
}

function isPayable({ order }: OpenAttempt): boolean {
  return amountProblem(order.amount) === null;
}

/** Measured, whatever comes of it. */
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
