import { DomainError, type ErrorCode, type PaymentStatus } from '@payroll/kernel';

/** Events of a payment that fails, is retried and is settled or cancelled; a model test sends them in any order. */
export const PAYMENT_EVENTS: readonly (readonly [PaymentStatus, number])[] = [
  ['processing', 2],
  ['failed', 3],
  ['pending', 4],
  ['processing', 5],
  ['completed', 6],
  ['cancelled', 5],
];

export interface Outcome<Result> {
  result: Result | null;
  code: ErrorCode | null;
}

/** Turns a refusal into an outcome; rethrows any other error. */
export async function outcomeOf<Result>(running: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await running, code: null };
  } catch (error) {
    if (error instanceof DomainError) return { result: null, code: error.code };
    throw error;
  }
}
