import { isId } from '@payroll/kernel';

/** Asked of payments (request/reply): how many of these payments it does not have. */
export const PAYMENTS_QUESTION = 'ask.payments.missing';

/** Of any workspaces; the nth id is of a payment in the nth workspace. */
export interface PaymentsQuestion {
  workspaceIds: string[];
  paymentIds: string[];
}

export interface PaymentsAnswer {
  missing: number;
}

/** @throws TypeError for anything else than as many workspaces as payments. */
export function readPaymentsQuestion(body: unknown): PaymentsQuestion {
  const { workspaceIds, paymentIds } = (body ?? {}) as Record<string, unknown>;
  if (areIds(workspaceIds) && areIds(paymentIds) && workspaceIds.length === paymentIds.length) {
    return { workspaceIds, paymentIds };
  }
  throw new TypeError('The question names payments by the ids of their workspaces and their own.');
}

function areIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isId);
}
