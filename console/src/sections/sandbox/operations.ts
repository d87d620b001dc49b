import { graphql, type ResultOf } from '../../operations.js';

const WITH_WORK = 'id title worker { id name } milestones { id title status amount { amount currency } }';
const PAYMENT = 'id netAmount { amount currency } scheduledDate contract { worker { name } }';

/** A contract that is `offboarding` takes work until its last day. */
export const readPlayable = graphql(`
  query playable {
    business { kybStatus }
    sandboxDaysAhead
    signing: contracts(status: pending_signature, limit: 20) { nodes { id title revision agreement { text digest } } }
    active: contracts(status: active, limit: 50) { nodes { ${WITH_WORK} } }
    ending: contracts(status: offboarding, limit: 50) { nodes { ${WITH_WORK} } }
    unverified: payees(verificationStatus: unverified, limit: 50) { nodes { id version worker { name } } }
    underWay: payments(status: processing, limit: 50) { nodes { ${PAYMENT} } }
    waiting: payments(status: pending, limit: 50) { nodes { ${PAYMENT} } }
  }`);

export type SandboxState = ResultOf<typeof readPlayable>;

const ONCE = '$operationId: ID!';
const SENT = 'operationId: $operationId';

export const fund = graphql(`
  mutation sandboxFund($amount: Decimal!, $currency: String!, ${ONCE}) {
    sandboxFund(amount: $amount, currency: $currency, ${SENT}) { amount }
  }`);

export const verifyBusiness = graphql(
  `mutation sandboxVerifyBusiness(${ONCE}) { sandboxVerifyBusiness(${SENT}) { id } }`,
);

export const givePayee = graphql(`
  mutation givePayee($workerId: ID!, $destination: String!, ${ONCE}) {
    registerPayee(workerId: $workerId, payoutMethod: other, destination: $destination, ${SENT}) { id }
  }`);

export const verifyPayee = graphql(`
  mutation sandboxVerifyPayee($id: ID!, $expectedVersion: String!, ${ONCE}) {
    sandboxVerifyPayee(id: $id, expectedVersion: $expectedVersion, ${SENT}) { id }
  }`);

export const signAsWorker = graphql(`
  mutation sandboxSignAsWorker($id: ID!, $expectedRevision: Int!, $digest: String!, ${ONCE}) {
    sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest, ${SENT}) { id }
  }`);

export const submitTimesheet = graphql(`
  mutation sandboxSubmitTimesheet($input: TimesheetInput!, ${ONCE}) {
    sandboxSubmitTimesheet(input: $input, ${SENT}) { id }
  }`);

export const submitMilestone = graphql(
  `mutation sandboxSubmitMilestone($id: ID!, ${ONCE}) { sandboxSubmitMilestone(id: $id, ${SENT}) { id } }`,
);

export const makeDue = graphql(
  `mutation sandboxMakeDue($id: ID!, ${ONCE}) { sandboxMakeDue(paymentId: $id, ${SENT}) { id } }`,
);

/** The calendar of payments last: it is the one that is shown. */
export const moveCalendar = graphql(`
  mutation sandboxMoveCalendar($daysAhead: Int!, ${ONCE}) {
    reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead, ${SENT})
    payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead, ${SENT})
  }`);

export const finishPayout = graphql(`
  mutation sandboxFinishPayout($id: ID!, $outcome: SandboxOutcome!, ${ONCE}) {
    sandboxFinishPayout(paymentId: $id, outcome: $outcome, ${SENT}) { id }
  }`);
