import { graphql, type RowOf } from '../../operations.js';
import { CONTRACT_ROW } from '../contracts/operations.js';

const GIVEN = '$search: String, $oldestFirst: Boolean!, $cursor: String';
const LISTED = 'workers(search: $search, oldestFirst: $oldestFirst, limit: 50, cursor: $cursor)';

/** Viewers do not see e-mail addresses. */
export const listWorkers = {
  inFull: graphql(`query workers(${GIVEN}) { ${LISTED} { nodes { id name email createdAt } nextCursor } }`),
  byName: graphql(`query workers(${GIVEN}) { ${LISTED} { nodes { id name createdAt } nextCursor } }`),
};

export type WorkerRow = RowOf<typeof listWorkers.byName, 'workers'> & { email?: string };

const OF_WORKER = `
  contracts(workerId: $id, limit: 50, cursor: $cursor) {
    nodes { ${CONTRACT_ROW} }
    nextCursor
  }
  payees(workerId: $id, limit: 1) { nodes { verificationStatus heldUntil stoppedAt } }
  payments(workerId: $id, limit: 20) { nodes { id status netAmount { amount currency } scheduledDate } }`;

export type PayeeOfWorker = RowOf<typeof readWorker.byName, 'payees'>;

export const readWorker = {
  inFull: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name email } ${OF_WORKER} }`),
  byName: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name } ${OF_WORKER} }`),
};
