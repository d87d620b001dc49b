import {
  type CalendarDate,
  CONTRACT_DRAFT,
  EDITORS_OR_INTERNAL,
  ADMINS_OR_INTERNAL,
  problemsIn,
  throwIfInvalid,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import type { Values } from '@payroll/store';
import { problemsOfDates, completionProblems, misleadingTexts, unpayableAmounts } from '../domain/completion.js';
import { endsForWorker, followContract, type ContractEdge } from '../domain/contract.js';
import type { Contract } from '../store/views.js';
import type { ContractTable } from '../store/tables.js';
import { freezeAgreement, tellWorker } from './contract-signing.js';
import { withdrawOpenAmendments } from './contract-terms.js';
import {
  changeContract,
  contractAfter,
  findContract,
  readReason,
  SUBMITTED,
  type ContractRow,
  type ContractAtRevision,
} from './contract-record.js';

/** Requires a complete draft. From here on the content is fixed; verification is next. */
export const submitContractForVerification = defineCommand('contract.submit-for-verification', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, input: ContractAtRevision) => {
    const contract = await findContract(tx, input);
    followContract(contract.status, 'submit for verification');
    throwIfInvalid(
      completionProblems(contract),
      'The draft is incomplete, or has amounts that cannot be paid or texts that mislead.',
    );
    return await moveContract(tx, contract, 'submit for verification', { changes: { returnReason: null } });
  },
});

/** Edges that take no further input; the others have commands of their own. */
type Advance = ContractAtRevision & { edge: 'verify' | 'request signatures' | 'activate' | 'complete' };

export const advanceContract = defineCommand('contract.advance', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { edge, ...seen }: Advance) => {
    const contract = await findContract(tx, seen);
    followContract(contract.status, edge);
    // One submitted before these rules existed has to go back to draft.
    if (edge === 'verify') {
      const problems = [...unpayableAmounts(contract.draft), ...misleadingTexts(contract.draft)];
      throwIfInvalid(problems, 'The contract has amounts that cannot be paid, or texts that mislead.');
    }
    if (edge === 'request signatures') {
      await freezeAgreement(tx, contract);
      tellWorker(tx, contract, 'contract_to_sign');
    }
    return await moveContract(tx, contract, edge);
  },
});

export const cancelContract = defineCommand('contract.cancel', {
  who: ADMINS_OR_INTERNAL,
  decide: moveFor('cancel', 'cancellationReason'),
});

export const returnContractToDraft = defineCommand('contract.return-to-draft', {
  who: ADMINS_OR_INTERNAL,
  decide: moveFor('return', 'returnReason'),
});

/** Follows an edge that requires a reason. */
function moveFor(edge: 'cancel' | 'return', column: 'cancellationReason' | 'returnReason') {
  return async (tx: CommandTransaction, input: ContractAtRevision & { reason: string }): Promise<Contract> => {
    const contract = await findContract(tx, input);
    followContract(contract.status, edge);
    const reason = readReason(input.reason);
    return await moveContract(tx, contract, edge, { changes: { [column]: reason }, recorded: { reason } });
  };
}

/** The last day, and the day of termination: null if the contract ends as agreed. */
type Offboarding = ContractAtRevision & { endDate: CalendarDate; terminationDate: CalendarDate | null };

/** Work can still be submitted and paid until the last day; then the contract is completed. */
export const startContractOffboarding = defineCommand('contract.start-offboarding', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { endDate, terminationDate, ...seen }: Offboarding) => {
    const contract = await findContract(tx, seen);
    followContract(contract.status, 'start offboarding');
    const dates = { startDate: contract.startDate, endDate, terminationDate };
    throwIfInvalid(
      [...problemsIn(DATES, dates), ...problemsOfDates(dates)],
      'The dates must not lie before the start date, nor terminationDate after endDate.',
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

/** Follows an edge of the contract's state machine, with further changes and details for the audit trail. */
async function moveContract(
  tx: CommandTransaction,
  contract: ContractRow,
  edge: Exclude<ContractEdge, 'sign'>,
  { changes = {}, recorded = {} }: { changes?: Values<typeof ContractTable>; recorded?: object } = {},
): Promise<Contract> {
  const from = contract.status;
  const status = followContract(from, edge);
  if (from === 'active') await withdrawOpenAmendments(tx, contract);
  if (endsForWorker(from, edge)) tellWorker(tx, contract, 'contract_ended');
  const change = { status: { from, to: status }, ...recorded };
  return await contractAfter(tx, await changeContract(tx, contract, { ...changes, status }, PAST[edge], change));
}

/** Audit action names of the edges. */
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
