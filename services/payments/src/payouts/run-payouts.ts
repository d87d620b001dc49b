import type { EntityManager } from '@mikro-orm/postgresql';
import { dayOf, DomainError, errorForLog, newId, systemOrigin, type Origin } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { CommandRunner } from '@payroll/store';
import { processPayment } from '../commands/process-payment.js';
import { recordPayoutAnswer } from '../commands/record-payout-answer.js';
import { duePayments, type DuePayment } from './due-payments.js';
import type { LearnParties } from './learn-parties.js';
import { takeOpenAttempts, type OpenAttempt } from './open-attempts.js';
import type { PayoutProvider } from './provider.js';

export interface PayoutParts {
  em: EntityManager;
  commands: CommandRunner;
  provider: PayoutProvider;
  learn: LearnParties;
  log: Log;
}

/** Listed at a time. What is done at the same time is no more than that, and leaves room in a pool of ten. */
const BATCH = 6;
const PROVIDER_DEADLINE_MS = 10_000;

/**
 * One round: begins the payouts of payments that are due, then asks the provider about every attempt without a last
 * word. Any number of processes may do this at the same time, and may be killed anywhere.
 */
export async function runPayouts(parts: PayoutParts, now: Date): Promise<void> {
  await processDue(parts, now);
  await askAboutAttempts(parts, now);
}

/** In a workspace one after the other in the order of their days: what was due first gets the money first. */
async function processDue(parts: PayoutParts, now: Date): Promise<void> {
  let batch: DuePayment[] = [];
  do {
    batch = await duePayments(parts.em, dayOf(now), batch.at(-1), BATCH);
    const byWorkspace = Map.groupBy(batch, ({ workspaceId }) => workspaceId);
    await Promise.all([...byWorkspace.values()].map((payments) => processEach(parts, payments)));
  } while (batch.length === BATCH);
}

async function processEach(parts: PayoutParts, payments: readonly DuePayment[]): Promise<void> {
  for (const payment of payments) await survive(parts, payment.id, () => processOne(parts, payment));
}

async function processOne({ commands, learn }: PayoutParts, payment: DuePayment): Promise<void> {
  await learn(payment);
  try {
    await commands.run(processPayment, { paymentId: payment.id }, runnerOrigin(payment.workspaceId));
  } catch (error) {
    // Another runner was faster, or somebody cancelled it.
    if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
  }
}

async function askAboutAttempts(parts: PayoutParts, now: Date): Promise<void> {
  let taken: OpenAttempt[];
  do {
    taken = await takeOpenAttempts(parts.em, now, BATCH);
    await Promise.all(taken.map((attempt) => survive(parts, attempt.paymentId, () => askAbout(parts, attempt))));
  } while (taken.length > 0);
}

async function askAbout({ commands, provider }: PayoutParts, attempt: OpenAttempt): Promise<void> {
  const { workspaceId, paymentId, order } = attempt;
  const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
  const known = attempt.isFirstLook ? null : await provider.lookUp(order.idempotencyKey, signal);
  // "Not found" is no refusal: the same order goes out again, and whichever copy arrives counts once.
  const answer = known ?? (await provider.submit(order, signal));
  if (answer.status === 'submitted' && attempt.isSubmitted) return;
  const answered = { paymentId, attempt: order.attempt, answer };
  await commands.run(recordPayoutAnswer, answered, runnerOrigin(workspaceId));
}

function runnerOrigin(workspaceId: string): Origin {
  return systemOrigin(workspaceId, 'runner', `payout-${newId()}`);
}

/** One payment's trouble is not another's. It stays due, or its attempt open, and comes up again. */
async function survive({ log }: PayoutParts, paymentId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ paymentId, error: errorForLog(error) }, 'A payout is tried again later');
  }
}
