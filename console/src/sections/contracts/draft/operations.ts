import { notFound, type DraftFields } from '@payroll/kernel';
import { graphql, type GraphqlOperation } from '../../../operations.js';
import type { WorkspaceContext } from '../../../workspace-context.js';
import type { Contract } from '../actions/operations.js';
import { DRAFT_FORM, itemOf } from './table.js';

type Row = Record<string, unknown> & { id: string; place: number };

/** A draft as the graph has it. */
export interface Draft extends Omit<Contract, 'agreement' | 'details'> {
  creator: { terms: object | null } | null;
  details: Record<string, unknown> & { milestones: Row[]; creatorDeliverables: Row[]; returnReason: string | null };
}

/** Not selected as details: the query reads these fields separately or in another form. */
const SELECTED_SEPARATELY: ReadonlySet<string> = new Set([
  ...['title', 'contractType', 'startDate', 'endDate', 'milestones', 'creatorTerms', 'creatorDeliverables'],
]);

function selected(fields: DraftFields, but: ReadonlySet<string> = new Set()): string {
  const named = Object.entries(fields).filter(([name]) => !but.has(name));
  return named
    .map(([name, field]) => (field.kind === 'object' ? `${name} { ${selected(field.fields)} }` : name))
    .join(' ');
}

const creatorTerms = DRAFT_FORM['creatorTerms']!;

/** Typed by hand: gql.tada cannot infer a selection that is computed from the kernel's table. */
const readDraft: GraphqlOperation<{ contract: Draft | null }, { id: string }> = graphql(`
  query draftToComplete($id: ID!) {
    contract(id: $id) {
      id title status revision contractType startDate endDate deletedAt worker { id name } missing { path message }
      creator {
        terms { ${creatorTerms.kind === 'object' ? selected(creatorTerms.fields) : ''} }
      }
      details {
        returnReason ${selected(DRAFT_FORM, SELECTED_SEPARATELY)}
        milestones { id place ${selected(itemOf('milestones'))} }
        creatorDeliverables { id place ${selected(itemOf('creatorDeliverables'))} }
      }
    }
  }`);

export async function draftWith({ run }: WorkspaceContext, id: string): Promise<Draft> {
  const { contract } = await run(readDraft, { id });
  if (contract === null) throw notFound('What this address names');
  return contract;
}

const ONCE = '$expectedRevision: Int, $operationId: ID';
const SENT = 'expectedRevision: $expectedRevision, operationId: $operationId';

export const updateDraft = graphql(`
  mutation updateContractDraft($id: ID!, $input: ContractDraftChangesInput!, ${ONCE}) {
    draft: updateContractDraft(id: $id, input: $input, ${SENT}) { id }
  }`);

export const assignWorker = graphql(`
  mutation assignWorker($contractId: ID!, $workerId: ID!, ${ONCE}) {
    contract: assignWorker(contractId: $contractId, workerId: $workerId, ${SENT}) { id }
  }`);

const NEW = 'title: $title, contractType: $contractType, countryOfEmployment: $countryOfEmployment';

export const createDraft = graphql(`
  mutation createContractDraft(
    $title: String!, $contractType: ContractType, $countryOfEmployment: String, $operationId: ID
  ) {
    draft: createContractDraft(input: { ${NEW} }, operationId: $operationId) { id }
  }`);
