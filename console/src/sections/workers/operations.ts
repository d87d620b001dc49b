import { graphql, type RowOf } from '../../operations.js';
import { CONTRACT_ROW } from '../contracts/operations.js';

const LISTED = 'workers(search: $search, limit: 50, cursor: $cursor)';

/** Viewers do not see e-mail addresses. */
export const listWorkers = {
  inFull: graphql(`
    query workers($search: String, $cursor: String) { ${LISTED} { nodes { id name email } nextCursor } }`),
  byName: graphql(`
    query workers($search: String, $cursor: String) { ${LISTED} { nodes { id name } nextCursor } }`),
};

export type WorkerRow = RowOf<typeof listWorkers.byName, 'workers'> & { email?: string };

const OF_WORKER = `
  contracts(workerId: $id, limit: 50, cursor: $cursor) {
    nodes { ${CONTRACT_ROW} }
    nextCursor
  }
  payees(workerId: $id, limit: 1) { nodes { verificationStatus } }
  payments(workerId: $id, limit: 20) { nodes { id status netAmount { amount currency } scheduledDate } }`;

export const readWorker = {
  inFull: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name email } ${OF_WORKER} }`),
  byName: graphql(`query worker($id: ID!, $cursor: String) { worker(id: $id) { id name } ${OF_WORKER} }`),
};
