import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

interface ContractRow {
  id: string;
  title: string;
  contractType: string;
  status: string;
  worker: { name: string | null };
  startDate: string | null;
}

export interface Contracts {
  contracts: { nodes: ContractRow[]; nextCursor: string | null };
}

interface ContractFilters extends Record<string, unknown> {
  status: string | null;
  contractType: string | null;
  search: string | null;
  cursor: string | null;
}

export const listContracts = new Operation<Contracts, ContractFilters>(`
  query contracts($status: ContractStatus, $contractType: ContractType, $search: String, $cursor: String) {
    contracts(status: $status, contractType: $contractType, search: $search, limit: 50, cursor: $cursor) {
      nodes { id title contractType status worker { name } startDate }
      nextCursor
    }
  }`);

interface Terms {
  currency: string;
  rate: string | null;
  paymentDueDays: number;
  autoPayEnabled: boolean;
  timesheetApprovalRequired: boolean;
  autoApproveAfterDays: number | null;
}

export interface MilestoneRow {
  id: string;
  title: string;
  status: string;
  amount: Money;
  dueDate: string | null;
  payment: { status: string } | null;
}

export interface TimesheetRow {
  id: string;
  periodStart: string;
  periodEnd: string;
  unitsWorked: string;
  total: Money;
  status: string;
  payment: { status: string } | null;
}

export interface PaymentRow {
  id: string;
  status: string;
  netAmount: Money;
  scheduledDate: string | null;
}

export interface ContractView {
  contract: {
    id: string;
    title: string;
    employmentType: string;
    contractType: string;
    status: string;
    missing: { path: string }[];
    worker: { id: string | null; name: string | null };
    startDate: string | null;
    endDate: string | null;
    createdAt: string;
    deletedAt: string | null;
    creator: {
      deliverables: (Record<'id' | 'platform' | 'format' | 'brief', string> & {
        amount: Money;
        dueDate: string | null;
      })[];
    } | null;
    details: Record<
      | 'description'
      | 'specialClauses'
      | 'countryOfEmployment'
      | 'externalReference'
      | 'returnReason'
      | 'cancellationReason',
      string | null
    > & {
      noticePeriodDays: number | null;
      terminationDate: string | null;
      businessSignedAt: string | null;
      workerSignedAt: string | null;
      terms: Terms;
    };
    milestones: MilestoneRow[];
    timesheets: TimesheetRow[];
  } | null;
  payments: { nodes: PaymentRow[]; nextCursor: string | null };
}

const MILESTONE = 'id title status amount { amount currency } dueDate payment { status }';
const TIMESHEET = 'id periodStart periodEnd unitsWorked total { amount currency } status payment { status }';

export const readContract = new Operation<ContractView, { id: string }>(`
  query contract($id: ID!) {
    contract(id: $id) {
      id title employmentType contractType status missing { path } worker { id name } startDate endDate createdAt deletedAt
      creator { deliverables { id platform format brief dueDate amount { amount currency } } }
      details {
        description specialClauses countryOfEmployment noticePeriodDays externalReference
        businessSignedAt workerSignedAt terminationDate returnReason cancellationReason
        terms {
          currency rate paymentDueDays autoPayEnabled timesheetApprovalRequired autoApproveAfterDays
        }
      }
      milestones { ${MILESTONE} }
      timesheets { ${TIMESHEET} }
    }
    payments(contractId: $id, limit: 20) {
      nodes { id status netAmount { amount currency } scheduledDate }
      nextCursor
    }
  }`);

interface AllWork<Row> {
  contract: { id: string; title: string } | null;
  work: { nodes: Row[]; nextCursor: string | null };
}

export type WorkOf<Row> = Operation<AllWork<Row>, { id: string; cursor: string | null }>;

const allOf = <Row>(field: string, row: string): WorkOf<Row> =>
  new Operation(`
  query ${field}OfContract($id: ID!, $cursor: String) {
    contract(id: $id) { id title }
    work: ${field}(contractId: $id, limit: 50, cursor: $cursor) { nodes { ${row} } nextCursor }
  }`);

export const readMilestones = allOf<MilestoneRow>('milestones', MILESTONE);
export const readTimesheets = allOf<TimesheetRow>('timesheets', TIMESHEET);
