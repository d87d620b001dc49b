import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';

/** One payment's trouble is not another's. It stays due, or its attempt open, and comes up again. */
export async function survive(
  log: Log,
  paymentId: string,
  work: () => Promise<void>,
  failed: (error: unknown) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ paymentId, error: errorForLog(error) }, 'A payout is tried again later');
    await failed(error);
  }
}
