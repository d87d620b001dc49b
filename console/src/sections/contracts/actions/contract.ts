import { notFound } from '@payroll/kernel';
import type { Crumb } from '@payroll/pages';
import { graphql, type FieldOf } from '../../../operations.js';
import type { WorkspaceContext } from '../../../workspace-context.js';
import { TERMS } from '../operations.js';

const readContract = graphql(`
  query contractToActOn($id: ID!) {
    contract(id: $id) {
      id title status revision contractType startDate endDate deletedAt worker { id name } missing { path message }
      agreement {
        text digest isFixed
        signatures { side signedAt signedBy { memberName } hasSecondFactor }
        amendments { number text digest holdsFrom withdrawnAt }
      }
      details { ${TERMS} businessSignedAt terminationDate returnReason cancellationReason }
    }
  }`);

/** A contract, with everything that the pages of its actions show. */
export type Contract = FieldOf<typeof readContract, 'contract'>;
export type Signature = Contract['agreement']['signatures'][number];

/** The contract with this id. @throws DomainError `NOT_FOUND` */
export async function contractWith({ run }: WorkspaceContext, id: string): Promise<Contract> {
  const { contract } = await run(readContract, { id });
  if (contract === null) throw notFound('What this address names');
  return contract;
}

/** The link from the page of an action to its contract. */
export const crumbOf = (path: string, { id, title }: Pick<Contract, 'id' | 'title'>): Crumb => {
  return { label: title, path: `${path}/${id}` };
};
