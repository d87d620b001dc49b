import { textOf, type SentForm } from '@payroll/pages';
import { graphql, type VariablesOf } from '../../../operations.js';

const SEEN = '$id: ID!, $expectedRevision: Int, $operationId: ID';
const SENT = 'id: $id, expectedRevision: $expectedRevision, operationId: $operationId';

export const submit = graphql(
  `mutation submitContractForVerification(${SEEN}) { changed: submitContractForVerification(${SENT}) { id } }`,
);
export const verify = graphql(`mutation verifyContract(${SEEN}) { changed: verifyContract(${SENT}) { id } }`);
export const requestSignatures = graphql(
  `mutation requestContractSignatures(${SEEN}) { changed: requestContractSignatures(${SENT}) { id } }`,
);
export const activate = graphql(`mutation activateContract(${SEEN}) { changed: activateContract(${SENT}) { id } }`);
export const complete = graphql(`mutation completeContract(${SEEN}) { changed: completeContract(${SENT}) { id } }`);
export const remove = graphql(`mutation deleteContract(${SEEN}) { changed: deleteContract(${SENT}) { id } }`);

export const returnToDraft = graphql(`
  mutation returnContractToDraft(${SEEN}, $reason: String!) {
    changed: returnContractToDraft(${SENT}, reason: $reason) { id }
  }`);

export const cancel = graphql(`
  mutation cancelContract(${SEEN}, $reason: String!) {
    changed: cancelContract(${SENT}, reason: $reason) { id }
  }`);

export const signForBusiness = graphql(`
  mutation signContract(${SEEN}, $digest: String) {
    changed: signContract(${SENT}, digest: $digest) { id }
  }`);

export const startOffboarding = graphql(`
  mutation startContractOffboarding(${SEEN}, $endDate: CalendarDate!, $terminationDate: CalendarDate) {
    changed: startContractOffboarding(${SENT}, endDate: $endDate, terminationDate: $terminationDate) { id }
  }`);

export type Ending = Pick<VariablesOf<typeof startOffboarding>, 'endDate' | 'terminationDate'>;

export const changeTerms = graphql(`
  mutation changeContractTerms(
    ${SEEN}, $rate: Decimal, $paymentDueDays: Int, $autoPayEnabled: Boolean, $timesheetApprovalRequired: Boolean,
    $autoApproveAfterDays: Int
  ) {
    changed: changeContractTerms(
      ${SENT}, rate: $rate, paymentDueDays: $paymentDueDays, autoPayEnabled: $autoPayEnabled,
      timesheetApprovalRequired: $timesheetApprovalRequired, autoApproveAfterDays: $autoApproveAfterDays
    ) { id agreement { amendments { holdsFrom withdrawnAt } } }
  }`);

export const withdrawAmendment = graphql(`
  mutation withdrawContractAmendment($id: ID!, $number: Int!, $operationId: ID) {
    withdrawContractAmendment(id: $id, number: $number, operationId: $operationId) {
      id
    }
  }
`);

export type Terms = Omit<VariablesOf<typeof changeTerms>, 'id' | 'expectedRevision' | 'operationId'>;

/** The digest of the agreement shown above the form. */
export function digestOf(form: SentForm): string | null {
  return textOf(form, 'digest') || null;
}
