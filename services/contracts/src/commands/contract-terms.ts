import { dayOf, DomainError, MANAGERS, refuseProblems } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { as, sql } from '@payroll/store';
import { digestOf, textOfAmendment } from '../domain/agreement-text.js';
import { differences } from '../domain/draft.js';
import { changeTerms, problemsOfTerms, type ContractTerms, type TermsChange } from '../domain/terms.js';
import { AgreementTable } from '../store/tables.js';
import { changeContract, contractAfter, findContract, type ContractRow, type SeenContract } from './contract-record.js';
import { fixedAgreement } from './contract-signing.js';

/** Holds from today for work that is not approved yet, as an amendment says; what was agreed at first stays in the draft. */
export const changeContractTerms = defineCommand('contract.change-terms', {
  who: MANAGERS,
  decide: async (tx, { id, expectedRevision, ...change }: TermsChange & SeenContract) => {
    const contract = await findContract(tx, { id, expectedRevision });
    if (contract.status !== 'active') {
      throw new DomainError('INVALID_STATE', `The contract is ${contract.status}; terms change while it is active.`);
    }
    const before = changeTerms(contract, {});
    const terms = changeTerms(before, change);
    refuseProblems(problemsOfTerms(terms), 'These are no terms that work can be paid by.');
    const changed = differences(before, terms);
    if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
    const digest = await amend(tx, contract, before, terms);
    return await contractAfter(tx, await changeContract(tx, contract, terms, 'terms-changed', { ...changed, digest }));
  },
});

async function amend(
  tx: CommandTransaction,
  contract: ContractRow,
  before: ContractTerms,
  after: ContractTerms,
): Promise<string> {
  const [last] = await tx.read(sql`select ${as('number', 'int?', sql`max(number)`)} from agreement
    where workspace_id = ${tx.workspaceId} and contract_id = ${contract.id}`);
  const number = (last?.number ?? 0) + 1;
  const signed = await fixedAgreement(tx, contract);
  const holdsFrom = dayOf(tx.now);
  const of = { id: contract.id, title: contract.title, digest: signed?.digest ?? null };
  const text = textOfAmendment({ number, contract: of, holdsFrom, before, after });
  const digest = digestOf(text);
  const unsigned = { businessSignedAt: null, businessSignedBy: null, workerSignedAt: null, workerSignedBy: null };
  tx.insert(AgreementTable, {
    ...{ workspaceId: tx.workspaceId, contractId: contract.id, number, text, digest, holdsFrom },
    ...{ madeAt: tx.now, madeBy: tx.origin.actor.principalId, ...unsigned },
  });
  return digest;
}
