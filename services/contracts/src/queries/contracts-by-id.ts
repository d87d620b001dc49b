import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Contract } from '../domain/contract.js';
import { CONTRACT_COLUMNS, toContract, type ContractRow } from '../store/to-contract.js';

/** Contracts by key, tombstones included. */
export function contractsById(em: EntityManager): Fetch<Contract> {
  return async (keys) => {
    const rows = await readByKeys<ContractRow>(em, 'contract', CONTRACT_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toContract(row)]));
  };
}
