import { Money as ExactMoney } from '@payroll/kernel';
import { dayText, moneyText, type Money, type WordsFor } from '../../words.js';
import type { Payment } from './operations.js';

/** The state of a payment, in a sentence. Only a completed one has been paid. */
export function paymentStatusText(
  { status, scheduledDate, autoPayEnabled, netAmount, ...payment }: Payment,
  today: string,
) {
  switch (status) {
    case 'pending':
      if (payment.heldBy !== null)
        return 'This payment is held. Nothing is sent until two people of our finance team have looked.';
      if (payment.waitsUntil !== null) return 'This payment waits, because the worker’s payout details are on hold.';
      if (payment.obstacle !== null) return 'This payment is scheduled. As things are now, it would fail.';
      if (!autoPayEnabled) return 'This payment waits until an admin pays it.';
      if (scheduledDate === null || scheduledDate <= today) return 'This payment is due and will be sent shortly.';
      return `This payment will be sent on ${dayText(scheduledDate)}.`;
    case 'processing':
      if (payment.heldBy !== null)
        return 'The payment provider has answered something unexpected. Nothing is sent again.';
      return payment.payoutAttempts.at(-1)?.status === 'prepared'
        ? 'The payment is being handed to the payment provider.'
        : 'The payment has been handed to the payment provider. It has not arrived yet.';
    case 'completed':
      return isNothing(netAmount) ? 'Deductions took all of it: there was nothing to pay.' : paidText(payment);
    case 'failed':
      return 'This payment failed. The worker has not been paid.';
    default:
      return 'This payment was cancelled. The worker will not be paid by it.';
  }
}

/** The provider may have paid another amount than was ordered. */
function paidText({ payoutAttempts }: Pick<Payment, 'payoutAttempts'>): string {
  const { amount, paidAmount } = payoutAttempts.at(-1) ?? {};
  if (!amount || !paidAmount || isSame(amount, paidAmount)) return 'The worker has been paid.';
  const both = `${moneyText(paidAmount)} instead of ${moneyText(amount)}`;
  return `The payment provider has paid the worker ${both}. Settle the difference with the worker, and tell us: Money shows it until then.`;
}

/** "500" and "500.00" are the same amount: the provider may write it otherwise. */
function isSame(one: Money, other: Money): boolean {
  const exact = ({ amount, currency }: Money): ExactMoney => ExactMoney.stored(amount, currency);
  return one.currency === other.currency && exact(one).compare(exact(other)) === 0;
}

/** Why a payment is held, and who can release it. */
export const HOLDS: WordsFor<'PaymentHold'> = {
  unclaimed_order:
    'The payment provider has an order to this worker that none of your payments has made. It may have paid for this very work, so the payment is neither sent nor cancelled until two people of our finance team have found out what it was for.',
  payout_alarm:
    'What the payment provider says of this payout is not what was ordered. Nothing is sent again until two people of our finance team have found out what the worker got.',
};

export const isNothing = ({ amount }: Money): boolean => /^0(\.0+)?$/.test(amount);

interface Failure {
  short: string;
  why: string;
  /** The same of a payment that would fail. */
  now: string;
  /** What to do about it. */
  mend: string;
  /** The section in which to correct it. */
  at: 'money' | 'worker' | null;
}

type Reason = NonNullable<Payment['failureReason']>;

/** Why a payment failed or would fail, and what to do about it. */
export const FAILURES: Readonly<Record<Reason, Failure>> = {
  amount_unpayable: {
    short: 'Amount cannot be paid',
    why: 'No bank can pay this amount in this currency.',
    now: 'No bank can pay this amount in this currency.',
    mend: 'Ask us what to do about it: trying again does not help.',
    at: null,
  },
  payee_missing: {
    short: 'No payout details',
    why: 'We did not know where to send the money: the worker had no payout details.',
    now: 'We do not know where to send the money: the worker has no payout details.',
    mend: 'The worker’s payout details have to be entered, and then verified. A worker who signs in enters them.',
    at: 'worker',
  },
  payee_unverified: {
    short: 'Payout details not verified',
    why: 'The worker’s payout details had not been verified.',
    now: 'The worker’s payout details are not verified.',
    mend: 'Wait until they are verified; where they were not accepted, add others.',
    at: 'worker',
  },
  business_unverified: {
    short: 'Business not verified',
    why: 'Your business had not been verified, so nothing could be paid out.',
    now: 'Your business is not verified, so nothing can be paid out.',
    mend: 'Finish the verification of your business.',
    at: null,
  },
  insufficient_funds: {
    short: 'Not enough money',
    why: 'There was not enough money in this currency.',
    now: 'There is not enough money in this currency.',
    mend: 'Add money to your balance.',
    at: 'money',
  },
  provider_declined: {
    short: 'Declined by the provider',
    why: 'The payment provider declined the payout. The money is back in your balance.',
    now: 'The payment provider declines payouts to this account.',
    mend: 'Check the payout details with the worker, and have them corrected if they are wrong.',
    at: 'worker',
  },
};

export const PAYEE_STATUSES: WordsFor<'PayeeVerificationStatus'> = {
  verified: 'Verified',
  unverified: 'Waiting for verification',
  rejected: 'Not accepted: new payout details are needed',
};

export const ATTEMPT_STATUSES: WordsFor<'PayoutAttemptStatus'> = {
  prepared: 'Being handed to the provider',
  submitted: 'With the provider',
  settled: 'Paid',
  declined: 'Declined',
};

export const PAYOUT_METHODS: WordsFor<'PayoutMethod'> = {
  bank_transfer: 'Bank transfer',
  wise: 'Wise',
  payoneer: 'Payoneer',
  usdc_wallet: 'USDC wallet',
  other: 'Other',
};

interface PaidWork {
  timesheetId: string | null;
  timesheet?: { periodStart: string; periodEnd: string } | null | undefined;
  milestone?: { title: string } | null | undefined;
}

/** Names the work of a payment; only its kind while review does not answer. `period` writes the days of a timesheet. */
export function workText(
  { timesheetId, timesheet, milestone }: PaidWork,
  period: (start: string, end: string) => string,
): string {
  if (timesheetId === null) return milestone?.title ?? 'A milestone';
  return timesheet ? period(timesheet.periodStart, timesheet.periodEnd) : 'A timesheet';
}
