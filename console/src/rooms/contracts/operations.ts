import { Operation } from '../../operations.js';

interface ContractRow {
  id: string;
  title: string;
  contractType: string;
  status: string;
  worker: { name: string | null };
  startDate: string | null;
  endDate: string | null;
}

export interface Contracts {
  contracts: { nodes: ContractRow[]; nextCursor: string | null };
}

export const listContracts = new Operation<Contracts, { status: string | null; cursor: string | null }>(`
  query contracts($status: ContractStatus, $cursor: String) {
    contracts(status: $status, limit: 50, cursor: $cursor) {
      nodes { id title contractType status worker { name } startDate endDate }
      nextCursor
    }
  }`);
