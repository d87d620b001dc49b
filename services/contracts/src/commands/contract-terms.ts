import {
  type CalendarDate,
  dayOf,
  DomainError,
  ADMINS_OR_INTERNAL,
  APPLICATION_ONLY,
  requireFound,
  throwIfInvalid,
  requireWorker,
  WORKER_ONLY,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction, type WorkspaceReader } from '@payroll/commands';
import { computed, sql, type TableRow } from '@payroll/store';
import type { SignedFrom } from '../domain/contract.js';
import { digestOf, textOfAmendment } from '../domain/agreement-text.js';
import { differences } from '../domain/draft.js';
import {
  changeTerms,
  problemsOfTerms,
  type ProposedTerms,
  proposedOf,
  type ContractTerms,
  type TermsChange,
} from '../domain/terms.js';
import { AgreementTable, ContractTable } from '../store/tables.js';
import {
  changeContract,
  contractAfter,
  findContract,
  type ContractRow,
  type ContractAtRevision,
} from './contract-record.js';
import { findFrozenAgreement, findOwnContract, proofOf, tellWorker, UNSIGNED } from './contract-signing.js';

/**
 * Amends the terms from today, for work that is not approved yet. The draft keeps the terms first agreed. Where the worker
 * signs in, a new rate and new due days hold from their signature; until then the amendment is open.
 */
export const changeContractTerms = ({ hasAccess }: { hasAccess: boolean }) =>
  defineCommand('contract.change-terms', {
    who: { ...APPLICATION_ONLY, roles: ['admin'] },
    decide: async (tx, { id, expectedRevision, ...change }: TermsChange & ContractAtRevision) => {
      const contract = await findContract(tx, { id, expectedRevision });
      if (contract.status !== 'active') {
        throw new DomainError(
          'INVALID_STATE',
          `The contract is ${contract.status}; terms can be changed only while it is active.`,
        );
      }
      const before = changeTerms(contract, {});
      const wanted = changeTerms(before, change);
      throwIfInvalid(problemsOfTerms(wanted), 'These terms cannot be used: work under them could not be paid.');
      const pay = proposedOf(before, wanted);
      if (Object.keys(pay).length > 0) await requireNoOpenAmendment(tx, contract);
      const proposed = hasAccess ? pay : {};
      const isProposed = Object.keys(proposed).length > 0;
      if (isProposed) await propose(tx, contract, before, proposed);
      const terms = isProposed ? { ...wanted, rate: before.rate, paymentDueDays: before.paymentDueDays } : wanted;
      const changed = differences(before, terms);
      if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
      const digest = await amend(tx, contract, { before, after: terms, holdsFrom: dayOf(tx.now) });
      return await contractAfter(
        tx,
        await changeContract(tx, contract, terms, 'terms-changed', { ...changed, digest }),
      );
    },
  });

type AmendmentRow = TableRow<typeof AgreementTable>;

/**
 * Pay changes one step at a time, so that the text of an open amendment says what its signature changes. Also after the
 * worker's access has ended: with a new access the worker could sign the older amendment over the newer terms.
 * @throws DomainError `INVALID_STATE`
 */
async function requireNoOpenAmendment(tx: CommandTransaction, { id }: ContractRow): Promise<void> {
  if ((await openAmendments(tx, id)).length === 0) return;
  throw new DomainError('INVALID_STATE', 'A change waits for the worker to sign it. Withdraw it first.');
}

/** An open amendment waits for the worker's signature. */
async function propose(
  tx: CommandTransaction,
  contract: ContractRow,
  before: ContractTerms,
  proposed: ProposedTerms,
): Promise<void> {
  const digest = await amend(tx, contract, { before, after: { ...before, ...proposed }, holdsFrom: null, proposed });
  tx.audit('contract.terms-proposed', contract.id, { ...proposed, digest });
  tellWorker(tx, contract, 'contract_to_sign');
}

async function openAmendments(rows: WorkspaceReader, contractId: string): Promise<AmendmentRow[]> {
  const amendments = await rows.all(AgreementTable, { contractId, workerSignedAt: null, withdrawnAt: null });
  return amendments.filter(({ proposed }) => proposed !== null);
}

/** @throws DomainError `INVALID_STATE` for an amendment that does not wait for the worker */
async function findOpenAmendment(rows: WorkspaceReader, contractId: string, number: number): Promise<AmendmentRow> {
  const open = (await openAmendments(rows, contractId)).find((each) => each.number === number);
  if (!open) throw new DomainError('INVALID_STATE', 'This change does not wait for a signature any more.');
  return open;
}

/** An admin withdraws a change that the worker has not signed. */
export const withdrawAmendment = defineCommand('contract.withdraw-amendment', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { id, number }: { id: string; number: number }) => {
    const contract = requireFound(await tx.lock(ContractTable, id), 'The contract');
    withdraw(tx, await findOpenAmendment(tx, id, number));
    return await contractAfter(tx, contract);
  },
});

/** For a contract that is no longer active, where the worker can sign no new terms. */
export async function withdrawOpenAmendments(tx: CommandTransaction, { id }: ContractRow): Promise<void> {
  for (const amendment of await openAmendments(tx, id)) withdraw(tx, amendment);
}

function withdraw(tx: CommandTransaction, amendment: AmendmentRow): void {
  const { contractId, number } = amendment;
  tx.update(AgreementTable, amendment, { withdrawnAt: tx.now });
  tx.audit('contract.amendment-withdrawn', contractId, { number });
}

type SignAmendment = { id: string; number: number; digest: string } & SignedFrom;

/** The worker signs a change of terms, which then holds for all work that is not approved yet. */
export const signAmendment = defineCommand('contract.sign-amendment', {
  who: { ...WORKER_ONLY, needsRecentPassword: true },
  decide: async (tx, { id, number, digest, ...from }: SignAmendment) => {
    const contract = await findOwnContract(tx, id);
    const amendment = await findOpenAmendment(tx, id, number);
    if (digest !== amendment.digest) {
      throw new DomainError('STALE_RESOURCE_VERSION', 'The text has changed. Read it again before you sign.');
    }
    if (contract.status !== 'active') throw new DomainError('INVALID_STATE', `The contract is ${contract.status}.`);
    const worker = requireWorker(tx.origin.actor);
    const by = { workerSignedBy: worker.principalId, workerProof: proofOf(worker, from) };
    const signature = { workerSignedAt: tx.now, ...by, holdsFrom: dayOf(tx.now) };
    tx.update(AgreementTable, amendment, signature);
    await changeContract(tx, contract, amendment.proposed!, 'terms-changed', { ...amendment.proposed, digest });
    return { id };
  },
});

interface Amended {
  before: ContractTerms;
  after: ContractTerms;
  /** Null for one that the worker has to sign. */
  holdsFrom: CalendarDate | null;
  proposed?: ProposedTerms;
}

async function amend(
  tx: CommandTransaction,
  contract: ContractRow,
  { before, after, holdsFrom, proposed }: Amended,
): Promise<string> {
  const [last] = await tx.read(sql`select ${computed('number', 'int?', sql`max(number)`)} from agreement
    where workspace_id = ${tx.workspaceId} and contract_id = ${contract.id}`);
  const number = (last?.number ?? 0) + 1;
  const signed = await findFrozenAgreement(tx, contract);
  const of = { id: contract.id, title: contract.title, digest: signed?.digest ?? null };
  const text = textOfAmendment({ number, contract: of, holdsFrom, before, after });
  const digest = digestOf(text);
  tx.insert(AgreementTable, {
    ...{ contractId: contract.id, number, text, digest, holdsFrom },
    ...{ madeAt: tx.now, madeBy: tx.origin.actor.principalId, ...UNSIGNED, proposed: proposed ?? null },
  });
  return digest;
}
