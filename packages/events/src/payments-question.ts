import { isId } from '@payroll/kernel';

/** Asked of payments (request/reply): how many of these payments do not exist. */
export const PAYMENTS_QUESTION = 'ask.payments.missing';

/** The nth payment belongs to the nth workspace. */
export interface PaymentsQuestion {
  workspaceIds: string[];
  paymentIds: string[];
}

export interface PaymentsAnswer {
  missing: number;
}

/** @throws TypeError unless it names as many workspaces as payments. */
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
