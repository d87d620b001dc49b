import { ConfirmButtons, Form, OperationId } from '@payroll/pages';
import type { ConsoleContext } from '../../../console-context.js';
import { graphql } from '../../../operations.js';
import { formPage, type RouteTable } from '../../../routes.js';
import { idIn, operationIn, requireRole } from '../../../workspace-context.js';
import { contractWith, crumbOf } from '../actions/operations.js';
import { DRAFTERS } from './edit.js';

const copyContract = graphql(`
  mutation copyContract($id: ID!, $operationId: ID) {
    draft: copyContract(id: $id, operationId: $operationId) {
      id
    }
  }
`);

/** For what can no longer be corrected in a contract, such as changes that its worker asks for, and for the next one. */
export const copyPages: RouteTable = formPage('/workspaces/:workspaceId/contracts/:id/copy', {
  load: async (ctx: ConsoleContext) => {
    const visited = await requireRole(ctx, DRAFTERS);
    return { ...visited, contract: await contractWith(visited, idIn(ctx)) };
  },
  view: ({ path, contract }) => ({
    title: 'Draft a copy',
    lead: contract.title,
    crumbs: [crumbOf(path, contract)],
    body: (
      <>
        <p>
          A new draft has the same content, terms and worker. The reference stays with this contract, which does not
          change: if the copy takes its place, cancel it.
        </p>
        <Form>
          <OperationId />
          <ConfirmButtons label="Draft a copy" back={`${path}/${contract.id}`} keep="Leave it as it is" />
        </Form>
      </>
    ),
  }),
  submit: async ({ mutate, path, contract }, ctx) => {
    const { draft } = await mutate(copyContract, { id: contract.id }, operationIn(ctx));
    return { to: `${path}/${draft.id}/edit`, notice: 'The copy is a draft. Change what is to be different.' };
  },
});
