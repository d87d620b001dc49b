import { graphql, type FieldOf, type RowOf, type Run } from '../../operations.js';

const CONTRACT = 'contract { id title status deletedAt worker { id name } details { compensation { type } } }';

const QUEUED = `kind id title periodStart periodEnd unitsWorked rate amount { amount currency } paymentScheduledDate autoPayEnabled
  submittedAt version ${CONTRACT}`;

export const readQueue = graphql(`
  query reviewQueue($kind: WorkKind, $oldestFirst: Boolean!, $cursor: String) {
    reviewQueue(kind: $kind, oldestFirst: $oldestFirst, limit: 50, cursor: $cursor) { nodes { ${QUEUED} } nextCursor }
    reviewQueueCount(kind: $kind)
  }`);

export type QueuedWork = RowOf<typeof readQueue, 'reviewQueue'>;
export type Kind = QueuedWork['kind'];

/** The selected work that still waits for review. */
export const readChosen = graphql(`
  query chosenWork($ids: [ID!]!) {
    reviewQueue(ids: $ids, limit: 100) { nodes { ${QUEUED} } nextCursor }
  }`);

/** The first 100 pieces of the queue, to find the neighbours of one. */
export const readOrder = graphql('query reviewOrder { reviewQueue(limit: 100) { nodes { kind id } } }');

const countWork = graphql('query countWork { reviewQueueCount }');

export const workToReview = async (run: Run): Promise<number> => (await run(countWork, {})).reviewQueueCount;

const REVIEWED = `id version status paymentId ${CONTRACT}
  reviews { id step at actorKind by { memberName name } reason rule }`;

export const readTimesheet = graphql(`
  query reviewedTimesheet($id: ID!) {
    timesheet(id: $id) {
      periodStart periodEnd unitsWorked rate { amount currency } total { amount currency } paymentScheduledDate
      autoPayEnabled submittedBy entries { day units note } ${REVIEWED}
    }
  }`);

export const readMilestone = graphql(`
  query reviewedMilestone($id: ID!) {
    milestone(id: $id) { title description note amount { amount currency } dueDate paymentDate ${REVIEWED} }
  }`);

/** Apart from the work: payments answers, not review. */
export const readPayment = graphql('query paymentOfWork($id: ID!) { payment(id: $id) { status } }');

export type Timesheet = FieldOf<typeof readTimesheet, 'timesheet'>;
export type Milestone = FieldOf<typeof readMilestone, 'milestone'>;
export type ReviewStep = Timesheet['reviews'][number];

const SEEN = '$id: ID!, $expectedVersion: String!, $operationId: ID!';
const SENT = 'id: $id, expectedVersion: $expectedVersion, operationId: $operationId';

export const APPROVE = {
  timesheet: graphql(`mutation approveTimesheet(${SEEN}) { decided: approveTimesheet(${SENT}) { id paymentId } }`),
  milestone: graphql(`mutation approveMilestone(${SEEN}) { decided: approveMilestone(${SENT}) { id paymentId } }`),
};

export const REJECT = {
  timesheet: graphql(`
    mutation rejectTimesheet(${SEEN}, $reason: String!) {
      decided: rejectTimesheet(${SENT}, reason: $reason) { id paymentId }
    }`),
  milestone: graphql(`
    mutation rejectMilestone(${SEEN}, $reason: String!) {
      decided: rejectMilestone(${SENT}, reason: $reason) { id paymentId }
    }`),
};
