import { randomUUID } from 'node:crypto';

/** Operations of internal teams, from registering a worker to a settled payout. */
export const REGISTER_WORKER = `mutation ($name: String!, $email: String!) {
  registerWorker(name: $name, email: $email) { id name }
}`;
export const ASSIGN_WORKER = `mutation ($id: ID!, $workerId: ID!) {
  assignWorker(contractId: $id, workerId: $workerId) { id worker { name } }
}`;
export const CREATE_DRAFT = `mutation ($input: ContractDraftInput!) { createContractDraft(input: $input) { id } }`;

const step = (call: string): string => `mutation ($id: ID!) { ${call} { status } }`;

export const SIGN_FOR_BUSINESS = step('signContract(id: $id)');
export const ACTIVATE = step('activateContract(id: $id)');

/** The steps of a contract's life, in order; each takes the contract's id. */
const STEPS = {
  pending_verification: [step('submitContractForVerification(id: $id)')],
  ready_for_signature: [step('verifyContract(id: $id)')],
  pending_signature: [step('requestContractSignatures(id: $id)')],
  signed: [SIGN_FOR_BUSINESS, step('sandboxSignAsWorker(id: $id)')],
  active: [ACTIVATE],
  offboarding: [step('startContractOffboarding(id: $id, endDate: "2027-12-31")')],
  completed: [step('completeContract(id: $id)')],
} as const;

export type ReachedStatus = keyof typeof STEPS;

export function stepsTo(status: ReachedStatus): string[] {
  const statuses = Object.keys(STEPS) as ReachedStatus[];
  return statuses.slice(0, statuses.indexOf(status) + 1).flatMap((each) => STEPS[each]);
}

export const CANCEL_CONTRACT = step('cancelContract(id: $id, reason: "The project was called off")');
export const DELETE_CONTRACT = 'mutation ($id: ID!) { deleteContract(id: $id) { deletedAt } }';

export const SUBMIT_TIMESHEET = `mutation ($input: TimesheetInput!) {
  submitTimesheet(input: $input) { id status total { amount currency } paymentScheduledDate version }
}`;
export const APPROVE_TIMESHEET = `mutation ($id: ID!, $version: String!) {
  approveTimesheet(id: $id, expectedVersion: $version) { id paymentId }
}`;
export const REJECT_TIMESHEET = `mutation ($id: ID!, $version: String!, $reason: String!) {
  rejectTimesheet(id: $id, expectedVersion: $version, reason: $reason) { status }
}`;
export const MILESTONES_OF = `query ($id: ID!) { milestones(contractId: $id, limit: 100) { nodes { id title status version } } }`;
export const SUBMIT_MILESTONE = `mutation ($id: ID!) { submitMilestone(id: $id) { id title status version } }`;

export const PAYEE_OF = `query ($workerId: ID!) {
  payees(workerId: $workerId, limit: 1) { nodes { id version verificationStatus } }
}`;
export const REGISTER_PAYEE = `mutation ($workerId: ID!, $destination: String!) {
  registerPayee(workerId: $workerId, payoutMethod: bank_transfer, destination: $destination) { id version verificationStatus }
}`;
export const VERIFY_PAYEE = `mutation ($id: ID!, $version: String!, $destination: String!) {
  verifyPayee(id: $id, expectedVersion: $version, destination: $destination) { verificationStatus verifiedBy }
}`;
export const REQUEST_FUNDING = `mutation ($amount: Decimal!, $currency: String!, $bankTransactionId: String!) {
  requestFunding(amount: $amount, currency: $currency, reference: "Demo funding", bankTransactionId: $bankTransactionId) { id status requestedBy }
}`;
/** Each call is another transfer, with its own transaction id. */
export const transferOf = (amount: string, currency: string): Record<string, string> => ({
  amount,
  currency,
  bankTransactionId: randomUUID(),
});
export const CANCEL_PAYMENT = 'mutation ($id: ID!) { cancelPayment(paymentId: $id) { status } }';
export const REQUEST_PAYOUT = `mutation ($id: ID!) {
  requestPayout(paymentId: $id) { id status amount { amount currency } requestedBy }
}`;
export const REQUEST_RETRY = 'mutation ($id: ID!) { requestRetry(paymentId: $id) { id status } }';
export const COUNTERSIGN = `mutation ($id: ID!) {
  countersignInstruction(id: $id) { status decidedBy payment { status } }
}`;
export const PAYMENT = `query ($id: ID!) { payment(id: $id) { id status netAmount { amount currency } failureReason } }`;
export const BALANCES = `{ balances { available { amount currency } pending { amount currency } asOf } }`;

export const CONTRACT_WITH_PAYMENTS = `query ($id: ID!) {
  contract(id: $id) { title status worker { name } timesheets { status total { amount currency } payment { id status } } }
}`;
