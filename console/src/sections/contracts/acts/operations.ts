import { textOf, type SentForm } from '@payroll/pages';
import { Operation } from '../../../operations.js';

export type Seen = { id: string; expectedRevision: number; operationId: string };
type Changed = { changed: { id: string } };

const SEEN = '$id: ID!, $expectedRevision: Int, $operationId: ID';
const SENT = 'id: $id, expectedRevision: $expectedRevision, operationId: $operationId';

const plain = (name: string): Operation<Changed, Seen> =>
  new Operation(`mutation ${name}(${SEEN}) { changed: ${name}(${SENT}) { id } }`);

const saying = <Said extends object>(name: string, types: string, args: string): Operation<Changed, Seen & Said> =>
  new Operation(`mutation ${name}(${SEEN}, ${types}) { changed: ${name}(${SENT}, ${args}) { id } }`);

export const submit = plain('submitContractForVerification');
export const verify = plain('verifyContract');
export const requestSignatures = plain('requestContractSignatures');
export const activate = plain('activateContract');
export const complete = plain('completeContract');
export const remove = plain('deleteContract');

export const returnToDraft = saying<{ reason: string }>('returnContractToDraft', '$reason: String!', 'reason: $reason');
export const cancel = saying<{ reason: string }>('cancelContract', '$reason: String!', 'reason: $reason');
export const signForBusiness = saying<{ digest: string | null }>(
  'signContract',
  '$digest: String',
  'side: business, digest: $digest',
);

export type Ending = {
  endDate: string;
  terminationDate: string | null;
};

export const startOffboarding = saying<Ending>(
  'startContractOffboarding',
  '$endDate: CalendarDate!, $terminationDate: CalendarDate',
  'endDate: $endDate, terminationDate: $terminationDate',
);

export type Terms = {
  rate: string | null;
  paymentDueDays: number | null;
  autoPayEnabled: boolean;
  timesheetApprovalRequired: boolean;
  autoApproveAfterDays: number | null;
};

export const changeTerms = saying<Partial<Terms>>(
  'changeContractTerms',
  '$rate: Decimal, $paymentDueDays: Int, $autoPayEnabled: Boolean, $timesheetApprovalRequired: Boolean, $autoApproveAfterDays: Int',
  'rate: $rate, paymentDueDays: $paymentDueDays, autoPayEnabled: $autoPayEnabled, timesheetApprovalRequired: $timesheetApprovalRequired, autoApproveAfterDays: $autoApproveAfterDays',
);

/** Of the text that the form was drawn below. */
export function digestOf(form: SentForm): string | null {
  return textOf(form, 'digest') || null;
}
