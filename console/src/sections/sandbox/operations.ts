import { Operation } from '../../operations.js';
import type { Money } from '../../words.js';

interface Milestone extends Named {
  status: string;
  amount: Money;
}

interface Worked extends Named {
  worker: { id: string | null; name: string | null };
  milestones: Milestone[];
}

interface Named {
  id: string;
  title: string;
}

export interface Playable {
  business: { kybStatus: string };
  sandboxDaysAhead: number;
  signing: { nodes: (Named & { revision: number; agreement: { text: string; digest: string } })[] };
  active: { nodes: Worked[] };
  /** Work is handed in until the last day. */
  ending: { nodes: Worked[] };
  unverified: { nodes: { id: string; version: string; worker: { name: string } | null }[] };
  underWay: { nodes: PaymentChoice[] };
  waiting: { nodes: PaymentChoice[] };
}

interface PaymentChoice {
  id: string;
  netAmount: Money;
  scheduledDate: string | null;
  contract: { worker: { name: string | null } };
}

export const readPlayable = new Operation<Playable, Record<string, never>>(`
  query playable {
    business { kybStatus }
    sandboxDaysAhead
    signing: contracts(status: pending_signature, limit: 20) { nodes { id title revision agreement { text digest } } }
    active: contracts(status: active, limit: 50) {
      nodes { id title worker { id name } milestones { id title status amount { amount currency } } }
    }
    ending: contracts(status: offboarding, limit: 50) {
      nodes { id title worker { id name } milestones { id title status amount { amount currency } } }
    }
    unverified: payees(verificationStatus: unverified, limit: 50) { nodes { id version worker { name } } }
    underWay: payments(status: processing, limit: 50) {
      nodes { id netAmount { amount currency } scheduledDate contract { worker { name } } }
    }
    waiting: payments(status: pending, limit: 50) {
      nodes { id netAmount { amount currency } scheduledDate contract { worker { name } } }
    }
  }`);

type Done<Given> = Given & { operationId: string };

export const fund = new Operation<object, Done<{ amount: string; currency: string }>>(`
  mutation sandboxFund($amount: Decimal!, $currency: String!, $operationId: ID!) {
    sandboxFund(amount: $amount, currency: $currency, operationId: $operationId) { amount }
  }`);

export const verifyBusiness = new Operation<object, Done<object>>(`
  mutation sandboxVerifyBusiness($operationId: ID!) {
    sandboxVerifyBusiness(operationId: $operationId) { id }
  }`);

export const givePayee = new Operation<object, Done<{ workerId: string; destination: string }>>(`
  mutation givePayee($workerId: ID!, $destination: String!, $operationId: ID!) {
    registerPayee(workerId: $workerId, payoutMethod: other, destination: $destination, operationId: $operationId) { id }
  }`);

export const verifyPayee = new Operation<object, Done<{ id: string; expectedVersion: string }>>(`
  mutation sandboxVerifyPayee($id: ID!, $expectedVersion: String!, $operationId: ID!) {
    sandboxVerifyPayee(id: $id, expectedVersion: $expectedVersion, operationId: $operationId) { id }
  }`);

export const signAsWorker = new Operation<object, Done<{ id: string; expectedRevision: number; digest: string }>>(`
  mutation sandboxSignAsWorker($id: ID!, $expectedRevision: Int!, $digest: String!, $operationId: ID!) {
    sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest, operationId: $operationId) { id }
  }`);

export const submitTimesheet = new Operation<object, Done<{ input: Record<string, string> }>>(`
  mutation sandboxSubmitTimesheet($input: TimesheetInput!, $operationId: ID!) {
    sandboxSubmitTimesheet(input: $input, operationId: $operationId) { id }
  }`);

export const submitMilestone = new Operation<object, Done<{ id: string }>>(`
  mutation sandboxSubmitMilestone($id: ID!, $operationId: ID!) {
    sandboxSubmitMilestone(id: $id, operationId: $operationId) { id }
  }`);

export const makeDue = new Operation<object, Done<{ id: string }>>(`
  mutation sandboxMakeDue($id: ID!, $operationId: ID!) {
    sandboxMakeDue(paymentId: $id, operationId: $operationId) { id }
  }`);

/** The calendar of payments last: it is the one that is shown. */
export const moveCalendar = new Operation<object, Done<{ daysAhead: number }>>(`
  mutation sandboxMoveCalendar($daysAhead: Int!, $operationId: ID!) {
    reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead, operationId: $operationId)
    payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead, operationId: $operationId)
  }`);

export const finishPayout = new Operation<object, Done<{ id: string; outcome: string }>>(`
  mutation sandboxFinishPayout($id: ID!, $outcome: SandboxOutcome!, $operationId: ID!) {
    sandboxFinishPayout(paymentId: $id, outcome: $outcome, operationId: $operationId) { id }
  }`);
