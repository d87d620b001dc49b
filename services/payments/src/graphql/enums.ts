import { FAILURE_REASONS, PAYMENT_METHODS, PAYMENT_STATUSES } from '@payroll/kernel';
import { enumOf } from '@payroll/service';
import { INSTRUCTION_KINDS, INSTRUCTION_STATUSES } from '../domain/instruction.js';
import { DIFFERENCE_ACCOUNTS, LEDGER_ACCOUNTS, POSTING_KINDS } from '../domain/ledger.js';
import { VERIFICATION_STATUSES } from '../domain/payee.js';
import { PAYMENT_HOLDS } from '../domain/payment.js';
import { ATTEMPT_STATUSES, PAYOUT_ALARMS } from '../domain/payout.js';
import { UNCLAIMED_STATUSES } from '../domain/unclaimed-order.js';

export const PaymentStatusEnum = enumOf('PaymentStatus', PAYMENT_STATUSES, 'How far a payment is.');
export const FailureReasonEnum = enumOf('PaymentFailureReason', FAILURE_REASONS, 'Why a payment failed.');
export const PaymentHoldEnum = enumOf(
  'PaymentHold',
  PAYMENT_HOLDS,
  'unclaimed_order: the provider has an order to the worker that no payment here has made; payout_alarm: what the provider says of the payout is not what was ordered. Two people of finance end either.',
);
export const PayoutMethodEnum = enumOf('PayoutMethod', PAYMENT_METHODS, 'How a worker is paid.');
export const VerificationStatusEnum = enumOf(
  'PayeeVerificationStatus',
  VERIFICATION_STATUSES,
  'Whether the destination was confirmed to be the worker’s.',
);
export const AttemptStatusEnum = enumOf(
  'PayoutAttemptStatus',
  ATTEMPT_STATUSES,
  'prepared: perhaps known to the provider; submitted: the provider has it; settled and declined: final.',
);
export const PayoutAlarmEnum = enumOf(
  'PayoutAlarm',
  PAYOUT_ALARMS,
  'not_found: the provider had it and no longer knows it; differs: the provider knows its key with another amount or destination. Neither is ordered again.',
);
export const LedgerAccountEnum = enumOf(
  'LedgerAccountName',
  LEDGER_ACCOUNTS,
  'funding: what was paid in, as a negative balance; available: what can be spent; in_flight: set aside for payouts under way; settled: the gross of work that is paid for; deductions_payable: withheld and owed to others, as a negative balance; workers_payable: still owed to workers whom the provider paid less than their net, as a negative balance; workers_receivable: paid beyond their net, or for no work that is here.',
);
export const PostingKindEnum = enumOf(
  'LedgerPostingKind',
  POSTING_KINDS,
  'funding: money from outside; reservation: set aside for a payout; release: the payout failed; settlement: it arrived; clearing: the business and its workers have settled a difference between themselves.',
);
export const DifferenceAccountEnum = enumOf(
  'DifferenceAccount',
  DIFFERENCE_ACCOUNTS,
  'workers_payable: still owed to workers whom the provider paid less than their net; workers_receivable: paid beyond their net, or for no work that is here.',
);
export const UnclaimedStatusEnum = enumOf(
  'UnclaimedOrderStatus',
  UNCLAIMED_STATUSES,
  'open: holds the payouts of its worker; claimed: a payment here was paid by it; dismissed: it paid for no work that is here.',
);
export const InstructionKindEnum = enumOf(
  'InstructionKind',
  INSTRUCTION_KINDS,
  'funding: money that arrived is booked; payout: a pending payment is paid now; retry: a failed payment is pending again; was_paid, never_paid: what the provider says became of a payout under an alarm; claim, dismiss: an order that no payment here has made paid this payment, or no work that is here; clearing: the business and its workers have settled what a payout of another amount left between them.',
);
export const InstructionStatusEnum = enumOf(
  'InstructionStatus',
  INSTRUCTION_STATUSES,
  'requested: waits for a second person; countersigned: carried out; declined: by the second person; withdrawn: by the first; expired: nobody decided in time.',
);
