import {
  type CalendarDate,
  CONTRACT_DRAFT,
  DomainError,
  INTERNAL,
  problemsIn,
  refuseProblems,
  textProblem,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction, type Values } from '@payroll/store';
import { problemsOfDates, whatCannotBePaid, whatIsMissing } from '../domain/completion.js';
import { followContract, sign, type ContractEdge, type SigningSide } from '../domain/contract.js';
import { differences } from '../domain/draft.js';
import { changeTerms, problemsOfTerms, type TermsChange } from '../domain/terms.js';
import type { Contract } from '../store/contracts.js';
import type { ContractTable } from '../store/tables.js';
import { changeContract, contractAfter, findContract, type ContractRow } from './contract-record.js';

/** The draft is complete: it is verified next, and changes no more. */
export const submitContractForVerification = defineCommand(
  'contract.submit-for-verification',
  INTERNAL,
  async (tx, { id }: { id: string }) => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'submit for verification');
    const problems = [...whatIsMissing(contract), ...whatCannotBePaid(contract.draft)];
    refuseProblems(problems, 'The draft is not complete, or says what cannot be paid.');
    return await moveContract(tx, contract, 'submit for verification', { changes: { returnReason: null } });
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
    return await moveContract(tx, contract, edge, { changes: { [column]: reason }, recorded: { reason } });
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
    if (!isNew) return await contractAfter(tx, contract);
    const change = { side, status: { from, to: after.status } };
    return await contractAfter(tx, changeContract(tx, contract, after, 'signed', change));
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
    if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
    return await contractAfter(tx, changeContract(tx, contract, terms, 'terms-changed', changed));
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
    const recorded = {
      endDate: { from: contract.endDate, to: endDate },
      terminationDate: { from: contract.terminationDate, to: terminationDate },
    };
    return await moveContract(tx, contract, 'start offboarding', {
      changes: { endDate, terminationDate },
      recorded,
    });
  },
);

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
  return await contractAfter(tx, changeContract(tx, contract, { ...changes, status }, PAST[edge], change));
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
