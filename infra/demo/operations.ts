/** What internal teams type to take a contract from its draft to its payment. */
export const REGISTER_WORKER = `mutation ($name: String!, $email: String!) {
  registerWorker(name: $name, email: $email) { id name }
}`;
export const ASSIGN_WORKER = `mutation ($id: ID!, $workerId: ID!) {
  assignWorker(contractId: $id, workerId: $workerId) { id worker { name } }
}`;
export const CREATE_DRAFT = `mutation ($input: ContractDraftInput!) { createContractDraft(input: $input) { id } }`;

/** The steps from a draft to an active contract, in their order. */
export const ACTIVATION = [
  'mutation ($id: ID!) { submitContractForVerification(id: $id) { status } }',
  'mutation ($id: ID!) { verifyContract(id: $id) { status } }',
  'mutation ($id: ID!) { requestContractSignatures(id: $id) { status } }',
  'mutation ($id: ID!) { signContract(id: $id, side: business) { status } }',
  'mutation ($id: ID!) { signContract(id: $id, side: worker) { status } }',
  'mutation ($id: ID!) { activateContract(id: $id) { status } }',
] as const;

export const SUBMIT_TIMESHEET = `mutation ($input: TimesheetInput!) {
  submitTimesheet(input: $input) { id status total { amount currency } paymentScheduledDate version }
}`;
export const CONTRACT_WITH_PAYMENTS = `query ($id: ID!) {
  contract(id: $id) { title status worker { name } timesheets { status total { amount currency } payment { id status } } }
}`;
