import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

export type Kind = 'timesheet' | 'milestone';

interface Contract {
  id: string;
  title: string;
  worker: { name: string | null };
}

export interface QueuedWork {
  kind: Kind;
  id: string;
  title: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  amount: Money;
  paymentScheduledDate: string | null;
  autoPayEnabled: boolean;
  submittedAt: string;
  version: string;
  contract: Contract;
}

interface Queue {
  reviewQueue: { nodes: QueuedWork[]; nextCursor: string | null };
}

const CONTRACT = 'contract { id title worker { name } }';

const QUEUED = `kind id title periodStart periodEnd amount { amount currency } paymentScheduledDate autoPayEnabled submittedAt version ${CONTRACT}`;

export const readQueue = new Operation<
  Queue & { reviewQueueCount: number },
  { kind: string | null; cursor: string | null }
>(`
  query reviewQueue($kind: WorkKind, $cursor: String) {
    reviewQueue(kind: $kind, limit: 50, cursor: $cursor) { nodes { ${QUEUED} } nextCursor }
    reviewQueueCount(kind: $kind)
  }`);

/** Of what somebody has chosen, all that still waits. */
export const readChosen = new Operation<Queue, { ids: readonly string[] }>(`
  query chosenWork($ids: [ID!]!) {
    reviewQueue(ids: $ids, limit: 100) { nodes { ${QUEUED} } nextCursor }
  }`);

export interface ReviewStep {
  id: string;
  step: string;
  at: string;
  actorKind: string;
  by: { memberName: string; name: string | null } | null;
  reason: string | null;
  rule: string | null;
}

interface Reviewed {
  id: string;
  version: string;
  status: string;
  contract: Contract;
  payment: { id: string; status: string } | null;
  paymentId: string | null;
  submittedAt?: string;
  reviews: ReviewStep[];
}

export interface Timesheet extends Reviewed {
  periodStart: string;
  periodEnd: string;
  unitsWorked: string;
  rate: Money;
  total: Money;
  paymentScheduledDate: string;
  autoPayEnabled: boolean;
}

export interface Milestone extends Reviewed {
  title: string;
  description: string | null;
  amount: Money;
  dueDate: string | null;
  paymentDate: string | null;
}

const REVIEWED = `id version status paymentId payment { id status } ${CONTRACT}
  reviews { id step at actorKind by { memberName name } reason rule }`;

export const readTimesheet = new Operation<{ timesheet: Timesheet | null }, { id: string }>(`
  query reviewedTimesheet($id: ID!) {
    timesheet(id: $id) {
      periodStart periodEnd unitsWorked rate { amount currency } total { amount currency } paymentScheduledDate
      autoPayEnabled ${REVIEWED}
    }
  }`);

export const readMilestone = new Operation<{ milestone: Milestone | null }, { id: string }>(`
  query reviewedMilestone($id: ID!) {
    milestone(id: $id) { title description amount { amount currency } dueDate paymentDate ${REVIEWED} }
  }`);

interface Decided {
  decided: { id: string; paymentId: string | null };
}

type Decision = Record<'id' | 'expectedVersion' | 'operationId', string>;

const decision = <More extends object = object>(field: string, parameter = '', argument = '') =>
  new Operation<Decided, Decision & More>(`
  mutation ${field}($id: ID!, $expectedVersion: String!, $operationId: ID!${parameter}) {
    decided: ${field}(id: $id, expectedVersion: $expectedVersion, operationId: $operationId${argument}) { id paymentId }
  }`);

const rejection = (field: string) =>
  decision<Record<'reason', string>>(field, ', $reason: String!', ', reason: $reason');

export const APPROVE = { timesheet: decision('approveTimesheet'), milestone: decision('approveMilestone') };
export const REJECT = { timesheet: rejection('rejectTimesheet'), milestone: rejection('rejectMilestone') };
