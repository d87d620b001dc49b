import { Operation } from '../../operations.js';
import type { Contracts, PaymentRow } from '../contracts/operations.js';

export interface WorkerRow {
  id: string;
  name: string;
  /** Not for viewers. */
  email?: string;
}

interface Workers {
  workers: { nodes: WorkerRow[]; nextCursor: string | null };
}

interface WorkerFilters extends Record<string, unknown> {
  search: string | null;
  cursor: string | null;
}

const workersWith = (fields: string) =>
  new Operation<Workers, WorkerFilters>(`
    query workers($search: String, $cursor: String) {
      workers(search: $search, limit: 50, cursor: $cursor) { nodes { ${fields} } nextCursor }
    }`);

/** With the addresses, which are for who works with them. */
export const listWorkers = { inFull: workersWith('id name email'), byName: workersWith('id name') };

interface WorkerView extends Contracts {
  worker: WorkerRow | null;
  payees: { nodes: { verificationStatus: string }[] };
  payments: { nodes: PaymentRow[] };
}

const workerWith = (fields: string) =>
  new Operation<WorkerView, { id: string; cursor: string | null }>(`
    query worker($id: ID!, $cursor: String) {
      worker(id: $id) { ${fields} }
      contracts(workerId: $id, limit: 50, cursor: $cursor) {
        nodes { id title contractType status worker { name } startDate }
        nextCursor
      }
      payees(workerId: $id, limit: 1) { nodes { verificationStatus } }
      payments(workerId: $id, limit: 20) { nodes { id status netAmount { amount currency } scheduledDate } }
    }`);

export const readWorker = { inFull: workerWith('id name email'), byName: workerWith('id name') };
