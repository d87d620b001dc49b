import type { CommandTransaction } from '@payroll/store';
import { followContract, type Contract, type ContractEdge } from '../domain/contract.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, type ContractEntity } from './find-contract.js';

/** Moves a contract along an edge of its life; `change` is what else the audit trail shall tell. */
export async function moveContract(
  tx: CommandTransaction,
  contract: ContractEntity,
  edge: Exclude<ContractEdge, 'sign'>,
  change: object = {},
): Promise<Contract> {
  const from = contract.status;
  contract.status = followContract(from, edge);
  contractChanged(tx, contract, PAST[edge], { status: { from, to: contract.status }, ...change });
  return await contractAfter(tx, contract);
}

/** What the audit trail calls it when an edge was followed. */
const PAST: Readonly<Record<Exclude<ContractEdge, 'sign'>, string>> = {
  'submit for verification': 'submitted-for-verification',
  verify: 'verified',
  return: 'returned-to-draft',
  'request signatures': 'signatures-requested',
  activate: 'activated',
  'start offboarding': 'offboarding-started',
  complete: 'completed',
  cancel: 'cancelled',
};
