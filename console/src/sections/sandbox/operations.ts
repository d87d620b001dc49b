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

export type Playable = ResultOf<typeof readPlayable>;

export const fund = graphql(`
  mutation sandboxFund($amount: Decimal!, $currency: String!, $operationId: ID!) {
    sandboxFund(amount: $amount, currency: $currency, operationId: $operationId) {
      amount
    }
  }
`);

export const verifyBusiness = graphql(`
  mutation sandboxVerifyBusiness($operationId: ID!) {
    sandboxVerifyBusiness(operationId: $operationId) {
      id
    }
  }
`);

export const givePayee = graphql(`
  mutation givePayee($workerId: ID!, $destination: String!, $operationId: ID!) {
    registerPayee(workerId: $workerId, payoutMethod: other, destination: $destination, operationId: $operationId) {
      id
    }
  }
`);

export const verifyPayee = graphql(`
  mutation sandboxVerifyPayee($id: ID!, $expectedVersion: String!, $operationId: ID!) {
    sandboxVerifyPayee(id: $id, expectedVersion: $expectedVersion, operationId: $operationId) {
      id
    }
  }
`);

export const signAsWorker = graphql(`
  mutation sandboxSignAsWorker($id: ID!, $expectedRevision: Int!, $digest: String!, $operationId: ID!) {
    sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest, operationId: $operationId) {
      id
    }
  }
`);

export const submitTimesheet = graphql(`
  mutation sandboxSubmitTimesheet($input: TimesheetInput!, $operationId: ID!) {
    sandboxSubmitTimesheet(input: $input, operationId: $operationId) {
      id
    }
  }
`);

export const submitMilestone = graphql(`
  mutation sandboxSubmitMilestone($id: ID!, $operationId: ID!) {
    sandboxSubmitMilestone(id: $id, operationId: $operationId) {
      id
    }
  }
`);

export const makeDue = graphql(`
  mutation sandboxMakeDue($id: ID!, $operationId: ID!) {
    sandboxMakeDue(paymentId: $id, operationId: $operationId) {
      id
    }
  }
`);

/** The calendar of payments last: it is the one that is shown. */
export const moveCalendar = graphql(`
  mutation sandboxMoveCalendar($daysAhead: Int!, $operationId: ID!) {
    reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead, operationId: $operationId)
    payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead, operationId: $operationId)
  }
`);

export const finishPayout = graphql(`
  mutation sandboxFinishPayout($id: ID!, $outcome: SandboxOutcome!, $operationId: ID!) {
    sandboxFinishPayout(paymentId: $id, outcome: $outcome, operationId: $operationId) {
      id
    }
  }
`);
