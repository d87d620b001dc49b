import { isId } from '@payroll/kernel';

/** Request/reply subject of payments: the state of a change of payout details. */
export const PAYOUT_CHANGE_QUESTION = 'ask.payments.payout-change';

export interface PayoutChangeQuestion {
  workspaceId: string;
  changeId: string;
}

export interface PayoutChangeAnswer {
  /** `over`: it can no longer be stopped. */
  state: 'waiting' | 'stopped' | 'over';
}

/** @throws TypeError for anything else than two ids. */
export function readPayoutChangeQuestion(body: unknown): PayoutChangeQuestion {
  const { workspaceId, changeId } = (body ?? {}) as Record<string, unknown>;
  if (isId(workspaceId) && isId(changeId)) return { workspaceId, changeId };
  throw new TypeError('The question names a workspace and a change by their ids.');
}
