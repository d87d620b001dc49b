import { isCurrency, type ErrorDetail } from '@payroll/kernel';
import { payable, payableBy, problemsIn, problemsInEach } from './checks.js';
import type { KeptDraft } from './contract-draft.js';
import { termsOf } from './contract-terms.js';

/**
 * All that nobody could pay of what a draft says. A draft keeps what was sent (public-api.md §4); what others are to
 * verify and sign does not say such things.
 */
export function whatCannotBePaid(draft: KeptDraft): ErrorDetail[] {
  const { currency } = termsOf(draft);
  const amount = payable(currency);
  const known = isCurrency(currency) ? [] : [{ path: 'compensation.currency', code: 'unknown_currency' }];
  const compensation = {
    rate: payableBy(currency),
    annualSalary: amount,
    retainerAmount: amount,
    signingBonus: amount,
  };
  return [
    ...known,
    ...problemsIn(draft.compensation, compensation, 'compensation'),
    ...problemsIn(draft.invoicingSettings, { firstPaymentAmount: amount }, 'invoicingSettings'),
    ...problemsIn(draft.benefits, { bonusAmount: amount, allowanceAmount: amount }, 'benefits'),
    ...problemsInEach(draft.milestones, { amount }, 'milestones'),
    ...problemsInEach(draft.creatorDeliverables, { amount }, 'creatorDeliverables'),
  ];
}
