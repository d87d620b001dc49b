import { dayText } from '../../words.js';
import type { PaymentRow } from './operations.js';

/** What is going on with a payment, in a sentence. Only a completed one has been paid. */
export function statusInWords({ status, scheduledDate, autoPayEnabled }: PaymentRow, today: string): string {
  switch (status) {
    case 'pending':
      if (!autoPayEnabled) return 'This payment waits until an admin pays it.';
      if (scheduledDate === null || scheduledDate <= today) return 'This payment is due and will be sent shortly.';
      return `This payment will be sent on ${dayText(scheduledDate)}.`;
    case 'processing':
      return 'The payment has been handed to the payment provider. It has not arrived yet.';
    case 'completed':
      return 'The worker has been paid.';
    case 'failed':
      return 'This payment failed. The worker has not been paid.';
    default:
      return 'This payment was cancelled. The worker will not be paid by it.';
  }
}

interface Failure {
  short: string;
  why: string;
  todo: string;
  /** The room where it is mended. */
  at: 'money' | 'worker' | null;
}

/** Why a payment failed, and what to do before it is tried again. */
export const FAILURES: Readonly<Record<string, Failure>> = {
  amount_unpayable: {
    short: 'Amount cannot be paid',
    why: 'No bank can pay this amount in this currency.',
    todo: 'Trying again will not help. Correct the amount in the contract and have the work submitted anew.',
    at: null,
  },
  payee_missing: {
    short: 'No payout details',
    why: 'We do not know where to send the money: the worker has no payout details.',
    todo: 'Add the worker’s payout details and have them verified, then try again.',
    at: 'worker',
  },
  payee_unverified: {
    short: 'Payout details not verified',
    why: 'The worker’s payout details have not been verified.',
    todo: 'Wait until they are verified, then try again.',
    at: 'worker',
  },
  business_unverified: {
    short: 'Business not verified',
    why: 'Your business had not been verified, so nothing may be paid out.',
    todo: 'Finish the verification of your business, then try again.',
    at: null,
  },
  insufficient_funds: {
    short: 'Not enough money',
    why: 'There was not enough money in this currency.',
    todo: 'Add money to your balance, then try again.',
    at: 'money',
  },
  provider_declined: {
    short: 'Declined by the provider',
    why: 'The payment provider declined the payout. The money is back in your balance.',
    todo: 'Check the payout details with the worker and have them corrected if they are wrong, then try again.',
    at: 'worker',
  },
};

export const PAYEE_STATUSES: Readonly<Record<string, string>> = {
  verified: 'Verified',
  unverified: 'Waiting for verification',
  rejected: 'Not accepted: new payout details are needed',
};

export const ATTEMPT_STATUSES: Readonly<Record<string, string>> = {
  prepared: 'Being handed to the provider',
  submitted: 'With the provider',
  settled: 'Paid',
  declined: 'Declined',
};

export const PAYOUT_METHODS: Readonly<Record<string, string>> = {
  bank_transfer: 'Bank transfer',
  wise: 'Wise',
  payoneer: 'Payoneer',
  usdc_wallet: 'USDC wallet',
  other: 'Other',
};
