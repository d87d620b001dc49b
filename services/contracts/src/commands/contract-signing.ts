import { DomainError, INTERNAL, isMember, MANAGERS, refuseProblems } from '@payroll/kernel';
import { defineCommand, type CommandTransaction, type WorkspaceRows } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { digestOf, textOfAgreement } from '../domain/agreement-text.js';
import { sign, type SigningSide } from '../domain/contract.js';
import { AgreementTable, WorkerTable } from '../store/tables.js';
import type { Contract } from '../store/contracts.js';
import { businessOf } from './keep-business.js';
import {
  changeContract,
  contractAfter,
  findContract,
  type ContractRow,
  type ContractAtRevision,
} from './contract-record.js';

/** The signature of one side under a text, identified by its digest. */
export interface Signing extends ContractAtRevision {
  side: SigningSide;
  /** Digest of the text that was read. Internal teams may omit it. */
  digest?: string | null | undefined;
}

/** For internal teams, which know that the side has signed. The API never signs (public-api.md §1). */
export const signContract = defineCommand('contract.sign', { who: INTERNAL, decide: signAs });

/** An admin signs for the business only. */
export const signForBusiness = defineCommand('contract.sign-for-business', {
  who: MANAGERS,
  decide: (tx, signing: Omit<Signing, 'side'>) => {
    const problems = signing.digest ? [] : [{ path: 'digest', code: 'required' }];
    refuseProblems(problems, 'digest is required: the digest of the text that was read.');
    return signAs(tx, { ...signing, side: 'business' });
  },
});

/** A second signature by the same side changes nothing. */
export async function signAs(tx: CommandTransaction, { side, digest, ...seen }: Signing): Promise<Contract> {
  const contract = await findContract(tx, seen);
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
  const signedBy = isMember(actor) ? actor.principalId : null;
  const signature =
    side === 'business'
      ? { businessSignedAt: tx.now, businessSignedBy: signedBy }
      : { workerSignedAt: tx.now, workerSignedBy: signedBy };
  tx.update(AgreementTable, agreement, signature);
  const change = { side, digest: agreement.digest, status: { from, to: after.status } };
  return await contractAfter(tx, await changeContract(tx, contract, after, 'signed', change));
}

type AgreementRow = TableRow<typeof AgreementTable>;

/** The text that was sent for signature; null if that was before texts were stored. */
export async function findFrozenAgreement(rows: WorkspaceRows, { id }: ContractRow): Promise<AgreementRow | null> {
  return await rows.find(AgreementTable, { contractId: id, number: 0 });
}

/** Freezes the text: later changes, such as a new name of the worker, do not affect it. */
export async function freezeAgreement(tx: CommandTransaction, contract: ContractRow): Promise<AgreementRow> {
  const { workerId, businessSignedAt, workerSignedAt } = contract;
  const worker = workerId === null ? null : await tx.find(WorkerTable, { id: workerId });
  const text = textOfAgreement({ ...contract, business: await businessOf(tx), workerName: worker?.name ?? null });
  return tx.insert(AgreementTable, {
    workspaceId: tx.workspaceId,
    contractId: contract.id,
    number: 0,
    text,
    digest: digestOf(text),
    holdsFrom: null,
    madeAt: tx.now,
    madeBy: tx.origin.actor.principalId,
    businessSignedAt,
    businessSignedBy: null,
    workerSignedAt,
    workerSignedBy: null,
  });
}
