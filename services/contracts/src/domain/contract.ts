import { DomainError, transition, type Instant, type StateMachine, type ContractStatus } from '@payroll/kernel';

export type ContractEdge =
  | 'submit for verification'
  | 'verify'
  | 'return'
  | 'request signatures'
  | 'sign'
  | 'activate'
  | 'start offboarding'
  | 'complete'
  | 'cancel';

export const contractMachine: StateMachine<ContractStatus, ContractEdge> = {
  draft: { 'submit for verification': 'pending_verification', cancel: 'cancelled' },
  pending_verification: { verify: 'ready_for_signature', return: 'draft', cancel: 'cancelled' },
  ready_for_signature: { 'request signatures': 'pending_signature', cancel: 'cancelled' },
  pending_signature: { sign: 'signed', cancel: 'cancelled' },
  signed: { activate: 'active', cancel: 'cancelled' },
  active: { 'start offboarding': 'offboarding', cancel: 'cancelled' },
  // Its last day may turn out to be another one.
  offboarding: { 'start offboarding': 'offboarding', complete: 'completed', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
};

export function followContract(from: ContractStatus, edge: ContractEdge): ContractStatus {
  return transition(contractMachine, 'contract', from, edge);
}

const ENDS: ReadonlySet<ContractEdge> = new Set<ContractEdge>(['start offboarding', 'complete', 'cancel']);
const UNSENT: ReadonlySet<ContractStatus> = new Set<ContractStatus>([
  'draft',
  'pending_verification',
  'ready_for_signature',
]);

/** Whether the contract ends, or gets a last day, for its worker: before it was sent for signature, they do not see it. */
export function endsForWorker(from: ContractStatus, edge: ContractEdge): boolean {
  return ENDS.has(edge) && !UNSENT.has(from);
}

/** The content is agreed in the draft and fixed by its submission. */
export function requireDraft(status: ContractStatus): void {
  if (status === 'draft') return;
  throw new DomainError('INVALID_STATE', `The contract is ${status}; this can be changed only while it is a draft.`);
}

/** Both sides sign, in any order; the second signature makes the contract signed. */
export const SIGNING_SIDES = ['business', 'worker'] as const;
export type SigningSide = (typeof SIGNING_SIDES)[number];

/** Recorded with a worker's own signature, as evidence of who signed and from where. */
export interface SigningProof {
  /** The email address of the account. */
  email: string;
  clientAddress: string;
  browser: string;
  /** Whether a second factor was given with the recent password; absent in signatures from before it was kept. */
  hasSecondFactor?: boolean;
}

/** The part that the signed page knows. The rest follows from the actor. */
export type SignedFrom = Pick<SigningProof, 'clientAddress' | 'browser'>;

export interface Signatures {
  businessSignedAt: Instant | null;
  workerSignedAt: Instant | null;
}

export function sign(
  status: ContractStatus,
  signatures: Signatures,
  side: SigningSide,
  now: Instant,
): Signatures & { status: ContractStatus } {
  const signed = followContract(status, 'sign');
  const after: Signatures = {
    businessSignedAt: side === 'business' ? (signatures.businessSignedAt ?? now) : signatures.businessSignedAt,
    workerSignedAt: side === 'worker' ? (signatures.workerSignedAt ?? now) : signatures.workerSignedAt,
  };
  const complete = after.businessSignedAt !== null && after.workerSignedAt !== null;
  return { ...after, status: complete ? signed : status };
}

export const DELETABLE: ReadonlySet<ContractStatus> = new Set<ContractStatus>(['draft', 'cancelled']);
