import { DomainError, INTERNAL, isMember, MANAGERS, refuseProblems } from '@payroll/kernel';
import { defineCommand, type CommandTransaction, type WorkspaceRows } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { digestOf, textOfAgreement } from '../domain/agreement-text.js';
import { sign, type SigningSide } from '../domain/contract.js';
import { AgreementTable, WorkerTable } from '../store/tables.js';
import type { Contract } from '../store/contracts.js';
import { businessOf } from './keep-business.js';
import { changeContract, contractAfter, findContract, type ContractRow, type SeenContract } from './contract-record.js';

/** One side signs a text, which is what its digest stands for. */
export interface Signing extends SeenContract {
  side: SigningSide;
  /** Of the text that was read. Internal teams may leave it out. */
  digest?: string | null | undefined;
}

/** For internal teams, who know that the side has signed. The API never signs (public-api.md §1). */
export const signContract = defineCommand('contract.sign', { who: INTERNAL, decide: signAs });

/** An admin signs for the business, and for nobody else. */
export const signForBusiness = defineCommand('contract.sign-for-business', {
  who: MANAGERS,
  decide: (tx, signing: Omit<Signing, 'side'>) => {
    const problems = signing.digest ? [] : [{ path: 'digest', code: 'required' }];
    refuseProblems(problems, 'Say which text you have read.');
    return signAs(tx, { ...signing, side: 'business' });
  },
});

/** A second signature of a side changes nothing. */
export async function signAs(tx: CommandTransaction, { side, digest, ...seen }: Signing): Promise<Contract> {
  const contract = await findContract(tx, seen);
  const from = contract.status;
  const after = sign(from, contract, side, tx.now);
  const isNew =
    after.businessSignedAt !== contract.businessSignedAt || after.workerSignedAt !== contract.workerSignedAt;
  const agreement = (await fixedAgreement(tx, contract)) ?? (await fixAgreement(tx, contract));
  if (digest != null && digest !== agreement.digest) {
    throw new DomainError('STALE_RESOURCE_VERSION', 'The text is another one now. Read it again before you sign.');
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

/** The text as it was sent for signature; null where that was before texts were kept. */
export async function fixedAgreement(rows: WorkspaceRows, { id }: ContractRow): Promise<AgreementRow | null> {
  return await rows.find(AgreementTable, { contractId: id, number: 0 });
}

/** From now on the text stays as it is, whatever the worker is called later. */
export async function fixAgreement(tx: CommandTransaction, contract: ContractRow): Promise<AgreementRow> {
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
