import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, newId, systemOrigin } from '@payroll/kernel';
import { resumeTrace } from '@payroll/messaging';
import type { Log } from '@payroll/process';
import { setAside } from '@payroll/service';
import type { CommandRunner } from '@payroll/store';
import { processPayment } from '../commands/process-payment.js';
import { DUE_PAYMENTS, duePayments, type DuePayment } from './due-payments.js';
import type { LearnParties } from './learn-parties.js';
import { survive } from './survive.js';

export interface ProcessDueParts {
  em: EntityManager;
  commands: CommandRunner;
  learn: LearnParties;
  log: Log;
}

/** Listed at a time. What is done at the same time is no more than that, and leaves room in a pool of ten. */
const BATCH = 4;

/**
 * Begins the payouts of payments that are due. In a workspace one after the other in the order of their days: what was
 * due first gets the money first. Any number of processes may do this at the same time, and may be killed anywhere.
 */
export async function processDue(parts: ProcessDueParts): Promise<void> {
  let batch: DuePayment[] = [];
  do {
    batch = await duePayments(parts.em, batch.at(-1), BATCH);
    const byWorkspace = Map.groupBy(batch, ({ workspaceId }) => workspaceId);
    await Promise.all([...byWorkspace.values()].map((payments) => processEach(parts, payments)));
  } while (batch.length === BATCH);
}

async function processEach(parts: ProcessDueParts, payments: readonly DuePayment[]): Promise<void> {
  for (const payment of payments) {
    const about = { workspaceId: payment.workspaceId, aboutId: payment.id };
    const work = (): Promise<void> =>
      resumeTrace(parts.em, about, 'take up the due payment', () => processOne(parts, payment));
    const failed = (error: unknown): Promise<void> => setAside(parts.em, { runner: DUE_PAYMENTS, ...payment }, error);
    await survive(parts.log, payment.id, work, failed);
  }
}

async function processOne({ commands, learn }: ProcessDueParts, payment: DuePayment): Promise<void> {
  const learned = await learn(payment.workspaceId, payment.id);
  if (!learned) return;
  const origin = systemOrigin(payment.workspaceId, 'runner', `due-${newId()}`);
  try {
    await commands.run(processPayment, { paymentId: payment.id, learned }, origin);
  } catch (error) {
    // Another runner was faster, somebody cancelled it, or it is not due after all.
    if (!(error instanceof DomainError && error.code === 'INVALID_STATE')) throw error;
  }
}
