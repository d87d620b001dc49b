import {
  type CalendarDate,
  CONTRACT_DRAFT,
  DomainError,
  INTERNAL,
  problemsIn,
  refuseProblems,
  textProblem,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { problemsOfDates, whatCannotBePaid, whatIsMissing } from '../domain/completion.js';
import { followContract, sign, type ContractEdge, type SigningSide } from '../domain/contract.js';
import { differences } from '../domain/draft.js';
import { changeTerms, problemsOfTerms, type TermsChange } from '../domain/terms.js';
import type { Contract } from '../store/contracts.js';
import { contractAfter, contractChanged, findContract, type ContractEntity } from './contract-record.js';

/** The draft is complete: it is verified next, and changes no more. */
export const submitContractForVerification = defineCommand(
  'contract.submit-for-verification',
  INTERNAL,
  async (tx, { id }: { id: string }) => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'submit for verification');
    const problems = [...whatIsMissing(contract), ...whatCannotBePaid(contract.draft)];
    refuseProblems(problems, 'The draft is not complete, or says what cannot be paid.');
    contract.returnReason = null;
    return await moveContract(tx, contract, 'submit for verification');
  },
);

/** Edges that take no further input; the others have commands of their own. */
type Advance = { id: string; edge: 'verify' | 'request signatures' | 'activate' | 'complete' };

export const advanceContract = defineCommand('contract.advance', INTERNAL, async (tx, { id, edge }: Advance) => {
  const contract = await findContract(tx, id);
  followContract(contract.status, edge);
  // Drafts that were submitted before this rule existed go back to draft.
  if (edge === 'verify') refuseProblems(whatCannotBePaid(contract.draft), 'The contract says what cannot be paid.');
  return await moveContract(tx, contract, edge);
});

export const cancelContract = defineCommand('contract.cancel', INTERNAL, moveFor('cancel', 'cancellationReason'));

export const returnContractToDraft = defineCommand(
  'contract.return-to-draft',
  INTERNAL,
  moveFor('return', 'returnReason'),
);

/** Follows an edge that a person gives a reason for, in 1–2000 characters after trimming. */
function moveFor(edge: 'cancel' | 'return', column: 'cancellationReason' | 'returnReason') {
  return async (tx: CommandTransaction, input: { id: string; reason: string }): Promise<Contract> => {
    const contract = await findContract(tx, input.id);
    followContract(contract.status, edge);
    const reason = input.reason.trim();
    const code = textProblem(reason, 1, 2000);
    refuseProblems(code === null ? [] : [{ path: 'reason', code }], 'reason is a text of 1 to 2000 characters.');
    contract[column] = reason;
    return await moveContract(tx, contract, edge, { reason });
  };
}

/** One side signs; a second signature of that side changes nothing. The API never signs (public-api.md §1). */
export const signContract = defineCommand(
  'contract.sign',
  INTERNAL,
  async (tx, { id, side }: { id: string; side: SigningSide }) => {
    const contract = await findContract(tx, id);
    const from = contract.status;
    const after = sign(from, contract, side, tx.now);
    const isNew =
      after.businessSignedAt !== contract.businessSignedAt || after.workerSignedAt !== contract.workerSignedAt;
    if (isNew) {
      Object.assign(contract, after);
      contractChanged(tx, contract, 'signed', { side, status: { from, to: contract.status } });
    }
    return await contractAfter(tx, contract);
  },
);

/** Holds for work that is not approved yet; what was agreed at first stays in the draft. */
export const changeContractTerms = defineCommand(
  'contract.change-terms',
  INTERNAL,
  async (tx, { id, ...change }: TermsChange & { id: string }) => {
    const contract = await findContract(tx, id);
    if (contract.status !== 'active') {
      throw new DomainError('INVALID_STATE', `The contract is ${contract.status}; terms change while it is active.`);
    }
    const terms = changeTerms(contract, change);
    refuseProblems(problemsOfTerms(terms), 'These are no terms that work can be paid by.');
    const changed = differences(changeTerms(contract, {}), terms);
    if (Object.keys(changed).length > 0) {
      Object.assign(contract, terms);
      contractChanged(tx, contract, 'terms-changed', changed);
    }
    return await contractAfter(tx, contract);
  },
);

/** The last day, and the day it was terminated on: null where it ends as agreed. */
type Offboarding = { id: string; endDate: CalendarDate; terminationDate: CalendarDate | null };

/** Until its last day work is still handed in and paid; then the contract is completed. */
export const startContractOffboarding = defineCommand(
  'contract.start-offboarding',
  INTERNAL,
  async (tx, { id, endDate, terminationDate }: Offboarding) => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'start offboarding');
    const dates = { startDate: contract.startDate, endDate, terminationDate };
    refuseProblems(
      [...problemsIn(DATES, dates), ...problemsOfDates(dates)],
      'A contract does not end before it starts.',
    );
    const change = {
      endDate: { from: contract.endDate, to: endDate },
      terminationDate: { from: contract.terminationDate, to: terminationDate },
    };
    Object.assign(contract, { endDate, terminationDate });
    return await moveContract(tx, contract, 'start offboarding', change);
  },
);

const { endDate, terminationDate } = CONTRACT_DRAFT.fields;
const DATES = { endDate, terminationDate };

/** Moves a contract along an edge of its life; `change` is what else the audit trail records. */
async function moveContract(
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
