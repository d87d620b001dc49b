import { defineCommand, type CommandTransaction, type WorkspaceReader } from '@payroll/commands';
import { newEvent } from '@payroll/events';
import {
  DomainError,
  isMember,
  isSignedIn,
  ADMINS_OR_INTERNAL,
  notFound,
  throwIfInvalid,
  requireWorker,
  type WorkerActor,
  unavailable,
  WORKER_ONLY,
} from '@payroll/kernel';
import { defineSandboxCommand } from '@payroll/service';
import type { TableRow } from '@payroll/store';
import { type Business, digestOf, textOfAgreement } from '../domain/agreement-text.js';
import { sign, type SignedFrom, type SigningProof, type SigningSide } from '../domain/contract.js';
import { AgreementTable, BusinessTable, ContractTable, WorkerTable } from '../store/tables.js';
import type { Contract } from '../store/views.js';
import {
  changeContract,
  contractAfter,
  findContract,
  readReason,
  type ContractRow,
  type ContractAtRevision,
} from './contract-record.js';

/** Digest of the text that was read. Internal teams may omit it. */
type ReadText = { digest?: string | null | undefined };

/** An admin signs for the business, or an internal team that knows that it has signed. The API never signs (public-api.md §1). */
export const signForBusiness = defineCommand('contract.sign-for-business', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { digest, ...seen }: ContractAtRevision & ReadText) => {
    if (isMember(tx.origin.actor)) requireDigest(digest);
    return await signAs(tx, await findContract(tx, seen), { side: 'business', digest });
  },
});

/** The worker signs in person. Only the sandbox of a test deployment can sign for them. */
export const signForWorker = defineCommand('contract.sign-for-worker', {
  who: { ...WORKER_ONLY, needsRecentPassword: true },
  decide: async (tx, { id, digest, ...from }: { id: string; digest: string } & SignedFrom) => {
    const contract = await findOwnContract(tx, id);
    requireDigest(digest);
    await signAs(tx, contract, { side: 'worker', digest, proof: proofOf(requireWorker(tx.origin.actor), from) });
    return { id };
  },
});

export function proofOf({ person: email, hasRecentFactor = false }: WorkerActor, from: SignedFrom): SigningProof {
  return { email, ...from, hasSecondFactor: hasRecentFactor };
}

/** A worker says why they do not sign. The contract stays as it is: an admin cancels it and drafts a copy. */
export const askForChanges = defineCommand('contract.ask-for-changes', {
  who: WORKER_ONLY,
  decide: async (tx, { id, ...given }: { id: string; reason: string }) => {
    const contract = await findOwnContract(tx, id);
    const reason = readReason(given.reason);
    if (contract.status !== 'pending_signature' || contract.workerSignedAt !== null) {
      throw new DomainError('INVALID_STATE', 'Changes are asked for before you sign, while the contract waits for it.');
    }
    const agreement = await findFrozenAgreement(tx, contract);
    tx.update(AgreementTable, agreement!, { changesAsked: reason, changesAskedAt: tx.now });
    tx.audit('contract.changes-asked', id, { reason });
    tx.emit(newEvent('notice.contract', id, { kind: 'changes_asked', aboutId: id, workerId: null }));
    return { id };
  },
});

/** The contract, locked. @throws DomainError `NOT_FOUND` for a contract of another worker, or not sent for signature yet */
export async function findOwnContract(tx: CommandTransaction, id: string): Promise<ContractRow> {
  const { workerId } = requireWorker(tx.origin.actor);
  const contract = await tx.lock(ContractTable, id);
  const isOwn = contract?.workerId === workerId && contract.deletedAt === null;
  if (!isOwn || !(await findFrozenAgreement(tx, contract))) throw notFound('The contract');
  return contract;
}

/** An admin, or an integration's test, signs in place of the worker. */
export const signAsWorkerInSandbox = defineSandboxCommand(
  'sandbox.sign-as-worker',
  async (tx, { digest, ...seen }: ContractAtRevision & { digest?: string | undefined }) => {
    if (isMember(tx.origin.actor)) requireDigest(digest);
    return await signAs(tx, await findContract(tx, seen), { side: 'worker', digest });
  },
);

function requireDigest(digest: string | null | undefined): void {
  const problems = digest ? [] : [{ path: 'digest', code: 'required' }];
  throwIfInvalid(problems, 'digest is required: the digest of the text that was read.');
}

/** The signature of one side under a text, identified by its digest. */
interface Signing extends ReadText {
  side: SigningSide;
  proof?: SigningProof;
}

/** A second signature by the same side changes nothing. */
async function signAs(
  tx: CommandTransaction,
  contract: ContractRow,
  { side, digest, proof }: Signing,
): Promise<Contract> {
  const from = contract.status;
  const after = sign(from, contract, side, tx.now);
  const isNew =
    after.businessSignedAt !== contract.businessSignedAt || after.workerSignedAt !== contract.workerSignedAt;
  const agreement = (await findFrozenAgreement(tx, contract)) ?? (await freezeAgreement(tx, contract));
  if (digest != null && digest !== agreement.digest) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'The text has changed. Read it again before you sign.');
  }
  if (!isNew) return await contractAfter(tx, contract);
  const { actor } = tx.origin;
  const signedBy = isSignedIn(actor) ? actor.principalId : null;
  const signature =
    side === 'business'
      ? { businessSignedAt: tx.now, businessSignedBy: signedBy }
      : { workerSignedAt: tx.now, workerSignedBy: signedBy, workerProof: proof ?? null };
  tx.update(AgreementTable, agreement, signature);
  const change = { side, digest: agreement.digest, status: { from, to: after.status } };
  return await contractAfter(tx, await changeContract(tx, contract, after, 'signed', change));
}

type AgreementRow = TableRow<typeof AgreementTable>;

/** The text that was sent for signature; null if that was before texts were stored. */
export async function findFrozenAgreement(rows: WorkspaceReader, { id }: ContractRow): Promise<AgreementRow | null> {
  return await rows.find(AgreementTable, { contractId: id, number: 0 });
}

/** Mails the worker that a text waits for their signature, or that the contract ends. */
export function tellWorker(
  tx: CommandTransaction,
  { id, workerId }: ContractRow,
  kind: 'contract_to_sign' | 'contract_ended',
): void {
  if (workerId === null) return;
  tx.emit(newEvent('notice.contract', id, { kind, aboutId: id, workerId }));
}

/** Freezes the text: later changes, such as a new name of the worker, do not affect it. */
export async function freezeAgreement(tx: CommandTransaction, contract: ContractRow): Promise<AgreementRow> {
  const { workerId, businessSignedAt, workerSignedAt } = contract;
  const worker = workerId === null ? null : await tx.find(WorkerTable, { id: workerId });
  const text = textOfAgreement({ ...contract, business: await businessOf(tx), workerName: worker?.name ?? null });
  return tx.insert(AgreementTable, {
    contractId: contract.id,
    number: 0,
    text,
    digest: digestOf(text),
    holdsFrom: null,
    madeAt: tx.now,
    madeBy: tx.origin.actor.principalId,
    ...{ ...UNSIGNED, businessSignedAt, workerSignedAt },
  });
}

/** @throws DomainError `SERVICE_UNAVAILABLE` until the event of a new workspace has arrived */
async function businessOf(rows: WorkspaceReader): Promise<Business> {
  const business = await rows.find(BusinessTable, {});
  if (!business) throw unavailable('The name of the business');
  return business;
}

/** A text that has just been made. */
export const UNSIGNED = {
  ...{ businessSignedAt: null, businessSignedBy: null },
  ...{ workerSignedAt: null, workerSignedBy: null, workerProof: null },
  ...{ changesAsked: null, changesAskedAt: null, proposed: null, withdrawnAt: null },
};
