import { graphql, type FieldOf, type Run, type VariablesOf, type RowOf } from '../../operations.js';

const ROW = `id status grossAmount { amount currency } netAmount { amount currency } scheduledDate autoPayEnabled
  failureReason createdAt completedAt timesheetId milestoneId contract { id title worker { id name } }`;

const FILTERS = `$status: PaymentStatus, $contractId: ID, $workerId: ID, $scheduledFrom: CalendarDate,
  $scheduledTo: CalendarDate, $oldestFirst: Boolean!, $limit: Int!, $cursor: String`;
const FILTERED = `payments(status: $status, contractId: $contractId, workerId: $workerId, scheduledFrom: $scheduledFrom,
  scheduledTo: $scheduledTo, oldestFirst: $oldestFirst, limit: $limit, cursor: $cursor)`;

export const listPayments = graphql(`query payments(${FILTERS}) { ${FILTERED} { nodes { ${ROW} } nextCursor } }`);

const WORK = 'timesheet { periodStart periodEnd } milestone { title }';

/** Review knows the work: while it does not answer, payments are worth reading without. */
export const listPaidWork = graphql(
  `query paidWork(${FILTERS}) { ${FILTERED} { nodes { ${ROW} ${WORK} } nextCursor } }`,
);

export type PaymentRow = RowOf<typeof listPayments, 'payments'>;
export type PaymentFilters = Required<Omit<VariablesOf<typeof listPayments>, 'oldestFirst' | 'limit' | 'cursor'>>;

/** `obstacle`: why a payout would fail now; `heldBy`: the hold that two people of finance must resolve first; `waitsUntil`: payout details on hold. */
export const readPayment = graphql(`
  query payment($id: ID!) {
    payment(id: $id) {
      ${ROW} processedAt updatedAt obstacle heldBy waitsUntil
      deductions { id name amount { amount currency } }
      payoutAttempts { number status payoutMethod amount { amount currency } paidAmount { amount currency } createdAt updatedAt }
    }
  }`);

export type Payment = FieldOf<typeof readPayment, 'payment'>;

export const readPaidWork = graphql(`query workOfPayment($id: ID!) { payment(id: $id) { ${WORK} } }`);

export const readPayeeOf = graphql(
  'query payeeOf($workerId: ID!) { payees(workerId: $workerId, limit: 1) { nodes { id verificationStatus } } }',
);

const SEEN = '$id: ID!, $expectedVersion: String!, $operationId: ID!';
const SENT = 'paymentId: $id, expectedVersion: $expectedVersion, operationId: $operationId';

export const retryPayment = graphql(`mutation retryPayment(${SEEN}) { retryPayment(${SENT}) { id } }`);
export const initiatePayout = graphql(`mutation initiatePayout(${SEEN}) { initiatePayout(${SENT}) { id status } }`);

const listFailed = graphql('query failedPayments { payments(status: failed, limit: 100) { nodes { id } } }');

export const failedPayments = async (run: Run): Promise<number> => (await run(listFailed, {})).payments.nodes.length;
