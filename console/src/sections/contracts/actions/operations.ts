import { notFound } from '@payroll/kernel';
import type { Crumb } from '@payroll/pages';
import { graphql, type FieldOf, type VariablesOf } from '../../../operations.js';
import type { WorkspaceContext } from '../../../workspace-context.js';
import { TERMS } from '../operations.js';

const readContract = graphql(`
  query contractToActOn($id: ID!) {
    contract(id: $id) {
      id title status revision contractType startDate endDate deletedAt worker { id name } missing { path message }
      agreement {
        text digest isFixed changesAsked
        signatures { side signedAt signedBy { memberName } hasSecondFactor }
        amendments {
          number text digest holdsFrom withdrawnAt madeAt
          signatures { side signedAt signedBy { memberName } hasSecondFactor }
        }
      }
      details { ${TERMS} noticePeriodDays businessSignedAt terminationDate returnReason cancellationReason }
    }
  }`);

/** A contract, with everything that the pages of its actions show. */
export type Contract = FieldOf<typeof readContract, 'contract'>;
export type Signature = Contract['agreement']['signatures'][number];

/** The contract with this id. @throws DomainError `NOT_FOUND` */
export async function contractWith({ run }: WorkspaceContext, id: string): Promise<Contract> {
  const { contract } = await run(readContract, { id });
  if (contract === null) throw notFound('What this address names');
  return contract;
}

/** The first 100 that wait, if there are more. */
export const readWaiting = graphql(`
  query waitingUnderContract($id: ID!) {
    timesheets(contractId: $id, status: submitted, limit: 100) {
      nodes {
        periodEnd
        total {
          amount
          currency
        }
      }
    }
    milestones(contractId: $id, status: submitted, limit: 100) {
      nodes {
        total: amount {
          amount
          currency
        }
      }
    }
  }
`);

/** The link from the page of an action to its contract. */
export const crumbOf = (path: string, { id, title }: Pick<Contract, 'id' | 'title'>): Crumb => {
  return { label: title, path: `${path}/${id}` };
};

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
