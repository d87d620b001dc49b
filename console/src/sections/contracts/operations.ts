import { graphql, type ResultOf, type FieldOf, type RowOf } from '../../operations.js';

/** A row of every list of contracts. */
export const CONTRACT_ROW = 'id title contractType status worker { id name } startDate createdAt';

export const listContracts = graphql(`
  query contracts($status: ContractStatus, $contractType: ContractType, $search: String, $oldestFirst: Boolean!,
      $cursor: String) {
    contracts(status: $status, contractType: $contractType, search: $search, oldestFirst: $oldestFirst, limit: 50,
        cursor: $cursor) {
      nodes { ${CONTRACT_ROW} }
      nextCursor
    }
  }`);

export type Contracts = ResultOf<typeof listContracts>;

/** The terms that hold now, and the unit of their rate. */
export const TERMS = `compensation { type annualSalary }
  terms { currency rate paymentDueDays autoPayEnabled timesheetApprovalRequired autoApproveAfterDays }`;

const MILESTONE_ALONE = 'id title status amount { amount currency } dueDate';
const TIMESHEET_ALONE = 'id periodStart periodEnd unitsWorked total { amount currency } status';
const MILESTONE = `${MILESTONE_ALONE} payment { status }`;
const TIMESHEET = `${TIMESHEET_ALONE} payment { status }`;

const CONTRACT = `id title employmentType contractType status missing { path } worker { id name } startDate endDate createdAt deletedAt
      creator { deliverables { id platform format brief dueDate amount { amount currency } } }
      details {
        ${TERMS} description specialClauses countryOfEmployment noticePeriodDays externalReference
        businessSignedAt workerSignedAt terminationDate returnReason cancellationReason
      }
      agreement { changesAsked amendments { holdsFrom withdrawnAt } }`;

export const readContract = graphql(`
  query contract($id: ID!) {
    contract(id: $id) { ${CONTRACT} milestones { ${MILESTONE} } timesheets { ${TIMESHEET} } }
    payments(contractId: $id, limit: 20) {
      nodes { id status netAmount { amount currency } scheduledDate }
      nextCursor
    }
  }`);

/** While payments does not answer. */
export const readContractAlone = graphql(`
  query contractAlone($id: ID!) {
    contract(id: $id) { ${CONTRACT} milestones { ${MILESTONE_ALONE} } timesheets { ${TIMESHEET_ALONE} } }
  }`);

export type Contract = FieldOf<typeof readContract, 'contract'>;
export type PaymentRow = RowOf<typeof readContract, 'payments'>;

const WITH_UNIT = 'id title details { compensation { type } }';

export const readMilestones = graphql(`
  query milestonesOfContract($id: ID!, $cursor: String) {
    contract(id: $id) { ${WITH_UNIT} }
    work: milestones(contractId: $id, limit: 50, cursor: $cursor) { nodes { ${MILESTONE} } nextCursor }
  }`);

export const readTimesheets = graphql(`
  query timesheetsOfContract($id: ID!, $cursor: String) {
    contract(id: $id) { ${WITH_UNIT} }
    work: timesheets(contractId: $id, limit: 50, cursor: $cursor) { nodes { ${TIMESHEET} } nextCursor }
  }`);

export type MilestoneRow = RowOf<typeof readMilestones, 'work'>;
export type TimesheetRow = RowOf<typeof readTimesheets, 'work'>;
