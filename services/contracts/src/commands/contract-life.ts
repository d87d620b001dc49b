import {
  type CalendarDate,
  CONTRACT_DRAFT,
  DRAFTERS,
  MANAGERS,
  problemsIn,
  refuseProblems,
  textProblem,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { Values } from '@payroll/store';
import { problemsOfDates, whatCannotBePaid, whatIsToBeCompleted } from '../domain/completion.js';
import { followContract, type ContractEdge } from '../domain/contract.js';
import type { Contract } from '../store/contracts.js';
import type { ContractTable } from '../store/tables.js';
import { fixAgreement } from './contract-signing.js';
import {
  changeContract,
  contractAfter,
  findContract,
  SUBMITTED,
  type ContractRow,
  type SeenContract,
} from './contract-record.js';

/** The draft is complete: it is verified next, and changes no more. */
export const submitContractForVerification = defineCommand('contract.submit-for-verification', {
  who: DRAFTERS,
  decide: async (tx, input: SeenContract) => {
    const contract = await findContract(tx, input);
    followContract(contract.status, 'submit for verification');
    refuseProblems(whatIsToBeCompleted(contract), 'The draft is not complete, or says what cannot be paid.');
    return await moveContract(tx, contract, 'submit for verification', { changes: { returnReason: null } });
  },
});

/** Edges that take no further input; the others have commands of their own. */
type Advance = SeenContract & { edge: 'verify' | 'request signatures' | 'activate' | 'complete' };

export const advanceContract = defineCommand('contract.advance', {
  who: MANAGERS,
  decide: async (tx, { edge, ...seen }: Advance) => {
    const contract = await findContract(tx, seen);
    followContract(contract.status, edge);
    // Drafts that were submitted before this rule existed go back to draft.
    if (edge === 'verify') refuseProblems(whatCannotBePaid(contract.draft), 'The contract says what cannot be paid.');
    if (edge === 'request signatures') await fixAgreement(tx, contract);
    return await moveContract(tx, contract, edge);
  },
});

export const cancelContract = defineCommand('contract.cancel', {
  who: MANAGERS,
  decide: moveFor('cancel', 'cancellationReason'),
});

export const returnContractToDraft = defineCommand('contract.return-to-draft', {
  who: MANAGERS,
  decide: moveFor('return', 'returnReason'),
});

/** Follows an edge that a person gives a reason for, in 1–2000 characters after trimming. */
function moveFor(edge: 'cancel' | 'return', column: 'cancellationReason' | 'returnReason') {
  return async (tx: CommandTransaction, input: SeenContract & { reason: string }): Promise<Contract> => {
    const contract = await findContract(tx, input);
    followContract(contract.status, edge);
    const reason = input.reason.trim();
    const code = textProblem(reason, 1, 2000);
    refuseProblems(code === null ? [] : [{ path: 'reason', code }], 'reason is a text of 1 to 2000 characters.');
    return await moveContract(tx, contract, edge, { changes: { [column]: reason }, recorded: { reason } });
  };
}

/** The last day, and the day it was terminated on: null where it ends as agreed. */
type Offboarding = SeenContract & { endDate: CalendarDate; terminationDate: CalendarDate | null };

/** Until its last day work is still handed in and paid; then the contract is completed. */
export const startContractOffboarding = defineCommand('contract.start-offboarding', {
  who: MANAGERS,
  decide: async (tx, { endDate, terminationDate, ...seen }: Offboarding) => {
    const contract = await findContract(tx, seen);
    followContract(contract.status, 'start offboarding');
    const dates = { startDate: contract.startDate, endDate, terminationDate };
    refuseProblems(
      [...problemsIn(DATES, dates), ...problemsOfDates(dates)],
      'A contract does not end before it starts.',
    );
    const recorded = {
      endDate: { from: contract.endDate, to: endDate },
      terminationDate: { from: contract.terminationDate, to: terminationDate },
    };
    return await moveContract(tx, contract, 'start offboarding', {
      changes: { endDate, terminationDate },
      recorded,
    });
  },
});

const { endDate, terminationDate } = CONTRACT_DRAFT.fields;
const DATES = { endDate, terminationDate };

/** Moves a contract along an edge of its life, with what else changes and what else the audit trail records. */
async function moveContract(
  tx: CommandTransaction,
  contract: ContractRow,
  edge: Exclude<ContractEdge, 'sign'>,
  { changes = {}, recorded = {} }: { changes?: Values<typeof ContractTable>; recorded?: object } = {},
): Promise<Contract> {
  const from = contract.status;
  const status = followContract(from, edge);
  const change = { status: { from, to: status }, ...recorded };
  return await contractAfter(tx, await changeContract(tx, contract, { ...changes, status }, PAST[edge], change));
}

/** What the audit trail calls it when an edge was followed. */
const PAST: Readonly<Record<Exclude<ContractEdge, 'sign'>, string>> = {
  'submit for verification': SUBMITTED,
  verify: 'verified',
  return: 'returned-to-draft',
  'request signatures': 'signatures-requested',
  activate: 'activated',
  'start offboarding': 'offboarding-started',
  complete: 'completed',
  cancel: 'cancelled',
};
