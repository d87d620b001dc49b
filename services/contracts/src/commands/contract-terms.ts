import { dayOf, DomainError, MANAGERS, refuseProblems } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { as, sql } from '@payroll/store';
import { digestOf, textOfAmendment } from '../domain/agreement-text.js';
import { differences } from '../domain/draft.js';
import { changeTerms, problemsOfTerms, type ContractTerms, type TermsChange } from '../domain/terms.js';
import { AgreementTable } from '../store/tables.js';
import {
  changeContract,
  contractAfter,
  findContract,
  type ContractRow,
  type ContractAtRevision,
} from './contract-record.js';
import { findFrozenAgreement, UNSIGNED } from './contract-signing.js';

/** Amends the terms from today, for work that is not approved yet. The draft keeps the terms first agreed. */
export const changeContractTerms = defineCommand('contract.change-terms', {
  who: MANAGERS,
  decide: async (tx, { id, expectedRevision, ...change }: TermsChange & ContractAtRevision) => {
    const contract = await findContract(tx, { id, expectedRevision });
    if (contract.status !== 'active') {
      throw new DomainError(
        'INVALID_STATE',
        `The contract is ${contract.status}; terms can be changed only while it is active.`,
      );
    }
    const before = changeTerms(contract, {});
    const terms = changeTerms(before, change);
    refuseProblems(problemsOfTerms(terms), 'These terms cannot be used: work under them could not be paid.');
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
  const signed = await findFrozenAgreement(tx, contract);
  const holdsFrom = dayOf(tx.now);
  const of = { id: contract.id, title: contract.title, digest: signed?.digest ?? null };
  const text = textOfAmendment({ number, contract: of, holdsFrom, before, after });
  const digest = digestOf(text);
  tx.insert(AgreementTable, {
    ...{ workspaceId: tx.workspaceId, contractId: contract.id, number, text, digest, holdsFrom },
    ...{ madeAt: tx.now, madeBy: tx.origin.actor.principalId, ...UNSIGNED },
  });
  return digest;
}
