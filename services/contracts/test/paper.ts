import type { ContractStatus, Origin } from '@payroll/kernel';
import {
  advanceContract,
  cancelContract,
  returnContractToDraft,
  startContractOffboarding,
  submitContractForVerification,
} from '../src/commands/contract-life.js';
import { signAsWorkerInSandbox, signForBusiness } from '../src/commands/contract-signing.js';
import { changeContractTerms } from '../src/commands/contract-terms.js';
import { assignWorker, deleteContract, updateContractDraft } from '../src/commands/contract-drafts.js';
import type { Contract } from '../src/store/views.js';
import { application, type Contracts } from './support.js';

/** A simple model of a contract, as one would keep it on paper. */
export interface Paper {
  status: ContractStatus;
  hasWorker: boolean;
  startDate: string | null;
  rate: string | null;
  endDate: string | null;
  signed: Set<'business' | 'worker'>;
  isDeleted: boolean;
  revision: number;
  /** The revision of its first submission, the first that is published. */
  submittedAs: number | null;
}

type Refusal = 'NOT_FOUND' | 'INVALID_STATE' | 'VALIDATION_FAILED';

/** The expected result of an action: a refusal, or whether anything changed. */
type Rule = (paper: Paper) => Refusal | boolean;

export interface Action {
  name: string;
  rule: Rule;
  run: (contracts: Contracts, id: string, origin: Origin, workerId: string) => Promise<Contract>;
}

/** An action that follows one edge of the state machine. */
const edge =
  (from: ContractStatus, to: ContractStatus, mend: (paper: Paper) => void = () => {}): Rule =>
  (paper) => {
    if (paper.status !== from) return 'INVALID_STATE';
    paper.status = to;
    mend(paper);
    return true;
  };

const whileDraft =
  (change: (paper: Paper) => boolean): Rule =>
  (paper) =>
    paper.status === 'draft' ? change(paper) : 'INVALID_STATE';

const sign =
  (side: 'business' | 'worker'): Rule =>
  (paper) => {
    if (paper.status !== 'pending_signature') return 'INVALID_STATE';
    if (paper.signed.has(side)) return false;
    paper.signed.add(side);
    if (paper.signed.size === 2) paper.status = 'signed';
    return true;
  };

const setRate =
  (rate: string): ((paper: Paper) => boolean) =>
  (paper) => {
    const isNew = paper.rate !== rate;
    paper.rate = rate;
    return isNew;
  };

function submit(paper: Paper): Refusal | boolean {
  if (paper.status !== 'draft') return 'INVALID_STATE';
  if (!paper.hasWorker || paper.startDate === null || paper.rate === null) return 'VALIDATION_FAILED';
  paper.status = 'pending_verification';
  paper.submittedAs ??= paper.revision + 1;
  return true;
}

function remove(paper: Paper): Refusal | boolean {
  if (paper.status !== 'draft' && paper.status !== 'cancelled') return 'INVALID_STATE';
  paper.isDeleted = true;
  return true;
}

function cancel(paper: Paper): Refusal | boolean {
  if (paper.status === 'completed' || paper.status === 'cancelled') return 'INVALID_STATE';
  paper.status = 'cancelled';
  return true;
}

/** All actions on a contract. */
export const ACTIONS: readonly Action[] = [
  {
    name: 'assign worker',
    rule: whileDraft((paper) => (paper.hasWorker = true)),
    run: (contracts, id, origin, workerId) => contracts.run(assignWorker, { contractId: id, workerId }, origin),
  },
  {
    name: 'set start date',
    rule: whileDraft((paper) => {
      const isNew = paper.startDate === null;
      paper.startDate = '2027-01-01';
      return isNew;
    }),
    run: (contracts, id, origin) => contracts.run(updateContractDraft, { id, startDate: '2027-01-01' }, origin),
  },
  ...['10', '20'].map((rate) => ({
    name: `agree on ${rate}`,
    rule: whileDraft(setRate(rate)),
    run: (contracts: Contracts, id: string, origin: Origin) =>
      contracts.run(updateContractDraft, { id, compensation: { type: 'hourly', rate } }, origin),
  })),
  {
    name: 'submit',
    rule: submit,
    run: (contracts, id, origin) => contracts.run(submitContractForVerification, { id }, origin),
  },
  {
    name: 'verify',
    rule: edge('pending_verification', 'ready_for_signature'),
    run: (contracts, id, origin) => contracts.run(advanceContract, { id, edge: 'verify' }, origin),
  },
  {
    name: 'return to draft',
    rule: edge('pending_verification', 'draft'),
    run: (contracts, id, origin) => contracts.run(returnContractToDraft, { id, reason: 'r' }, origin),
  },
  {
    name: 'request signatures',
    rule: edge('ready_for_signature', 'pending_signature'),
    run: (contracts, id, origin) => contracts.run(advanceContract, { id, edge: 'request signatures' }, origin),
  },
  {
    name: 'sign by business',
    rule: sign('business'),
    run: (contracts, id, origin) => contracts.run(signForBusiness, { id }, origin),
  },
  {
    name: 'sign by worker',
    rule: sign('worker'),
    run: (contracts, id, { actor }) =>
      contracts.run(signAsWorkerInSandbox.in('test'), { id }, application(actor.workspaceId)),
  },
  {
    name: 'activate',
    rule: edge('signed', 'active'),
    run: (contracts, id, origin) => contracts.run(advanceContract, { id, edge: 'activate' }, origin),
  },
  {
    name: 'change terms',
    rule: (paper) => (paper.status === 'active' ? setRate('30')(paper) : 'INVALID_STATE'),
    run: (contracts, id, origin) =>
      contracts.run(
        changeContractTerms({ hasAccess: false }),
        { id, rate: '30' },
        application(origin.actor.workspaceId),
      ),
  },
  {
    name: 'start offboarding',
    rule: (paper) => {
      if (paper.status !== 'active' && paper.status !== 'offboarding') return 'INVALID_STATE';
      Object.assign(paper, { status: 'offboarding', endDate: '2027-12-31' });
      return true;
    },
    run: (contracts, id, origin) =>
      contracts.run(startContractOffboarding, { id, endDate: '2027-12-31', terminationDate: null }, origin),
  },
  {
    name: 'complete',
    rule: edge('offboarding', 'completed'),
    run: (contracts, id, origin) => contracts.run(advanceContract, { id, edge: 'complete' }, origin),
  },
  {
    name: 'cancel',
    rule: cancel,
    run: (contracts, id, origin) => contracts.run(cancelContract, { id, reason: 'r' }, origin),
  },
  { name: 'delete', rule: remove, run: (contracts, id, origin) => contracts.run(deleteContract, { id }, origin) },
];

/** Applies an action to the model. @returns the refusal, or null. */
export function play(paper: Paper, { rule }: Action): Refusal | null {
  if (paper.isDeleted) return 'NOT_FOUND';
  const outcome = rule(paper);
  if (outcome === true) paper.revision += 1;
  return typeof outcome === 'string' ? outcome : null;
}
