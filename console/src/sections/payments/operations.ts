import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

export interface PaymentRow {
  id: string;
  status: string;
  grossAmount: Money;
  netAmount: Money;
  scheduledDate: string | null;
  autoPayEnabled: boolean;
  failureReason: string | null;
  createdAt: string;
  completedAt: string | null;
  contract: { id: string; title: string; worker: { id: string | null; name: string | null } };
}

export interface PaymentFilters extends Record<string, unknown> {
  status: string | null;
  contractId: string | null;
  workerId: string | null;
  scheduledFrom: string | null;
  scheduledTo: string | null;
}

const ROW = `id status grossAmount { amount currency } netAmount { amount currency } scheduledDate autoPayEnabled
  failureReason createdAt completedAt contract { id title worker { id name } }`;

type Page = PaymentFilters & { limit: number; cursor: string | null };

export const listPayments = new Operation<{ payments: { nodes: PaymentRow[]; nextCursor: string | null } }, Page>(`
  query payments($status: PaymentStatus, $contractId: ID, $workerId: ID, $scheduledFrom: CalendarDate,
      $scheduledTo: CalendarDate, $limit: Int!, $cursor: String) {
    payments(status: $status, contractId: $contractId, workerId: $workerId, scheduledFrom: $scheduledFrom,
        scheduledTo: $scheduledTo, limit: $limit, cursor: $cursor) {
      nodes { ${ROW} }
      nextCursor
    }
  }`);

export interface Payment extends PaymentRow {
  timesheetId: string | null;
  milestoneId: string | null;
  processedAt: string | null;
  updatedAt: string;
  /** Why its payout would fail if it began now. */
  obstacle: string | null;
  /** What two people of finance have to end first. */
  heldBy: string | null;
  deductions: { id: string; name: string; amount: Money }[];
  payoutAttempts: {
    number: number;
    status: string;
    payoutMethod: string;
    amount: Money;
    /** What the worker got; null until it is settled. */
    paidAmount: Money | null;
    createdAt: string;
    updatedAt: string;
  }[];
}

export const readPayment = new Operation<{ payment: Payment | null }, { id: string }>(`
  query payment($id: ID!) {
    payment(id: $id) {
      ${ROW} timesheetId milestoneId processedAt updatedAt obstacle heldBy
      deductions { id name amount { amount currency } }
      payoutAttempts { number status payoutMethod amount { amount currency } paidAmount { amount currency } createdAt updatedAt }
    }
  }`);

export const readPayeeOf = new Operation<
  { payees: { nodes: { id: string; verificationStatus: string }[] } },
  { workerId: string }
>(`
  query payeeOf($workerId: ID!) {
    payees(workerId: $workerId, limit: 1) { nodes { id verificationStatus } }
  }`);

type Act = { id: string; expectedVersion: string; operationId: string };

export const retryPayment = new Operation<object, Act>(`
  mutation retryPayment($id: ID!, $expectedVersion: String!, $operationId: ID!) {
    retryPayment(paymentId: $id, expectedVersion: $expectedVersion, operationId: $operationId) { id }
  }`);

export const initiatePayout = new Operation<{ initiatePayout: { status: string } }, Act>(`
  mutation initiatePayout($id: ID!, $expectedVersion: String!, $operationId: ID!) {
    initiatePayout(paymentId: $id, expectedVersion: $expectedVersion, operationId: $operationId) { id status }
  }`);
