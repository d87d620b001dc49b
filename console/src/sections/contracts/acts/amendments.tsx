import { DomainError } from '@payroll/kernel';
import { Decision, Form, OperationId } from '@payroll/pages';
import { formPage } from '../../../routes.js';
import { operationIn } from '../../../sent.js';
import { idIn, visitAs } from '../../../visit.js';
import { isOpenAmendment } from './agreement.js';
import { contractWith, crumbOf } from './contract.js';
import { withdrawAmendment } from './operations.js';

/** Withdraws the change of terms that waits for the worker. */
export const withdrawAmendmentPage = formPage('/workspaces/:workspaceId/contracts/:id/withdraw-terms', {
  enter: async (at) => {
    const visited = await visitAs(at, ['admin']);
    const contract = await contractWith(visited, idIn(at));
    const open = contract.agreement.amendments.find(isOpenAmendment);
    if (!open) throw new DomainError('INVALID_STATE', 'No change of terms waits for the worker.');
    return { ...visited, contract, open };
  },
  view: ({ path, contract, open }) => ({
    title: 'Withdraw the new terms?',
    lead: 'The worker can no longer sign them, and the terms stay as they are.',
    crumbs: [crumbOf(path, contract)],
    body: (
      <>
        <div class="agreement">{open.text}</div>
        <Form>
          <OperationId />
          <Decision look="danger" label="Withdraw them" back={`${path}/${contract.id}`} keep="Keep them" />
        </Form>
      </>
    ),
  }),
  send: async ({ tell, path, contract, open }, at) => {
    await tell(withdrawAmendment, { id: contract.id, number: open.number }, operationIn(at));
    return { to: `${path}/${contract.id}`, notice: 'The new terms are withdrawn.' };
  },
});
