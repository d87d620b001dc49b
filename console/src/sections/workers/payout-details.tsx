import { DomainError, notFound } from '@payroll/kernel';
import {
  ConfirmButtons,
  DefinitionList,
  Field,
  Form,
  OperationId,
  Select,
  type SentForm,
  textOf,
  type FieldMessages,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { graphql } from '../../operations.js';
import { formPage } from '../../routes.js';
import { idIn, requireRole, operationIn } from '../../workspace-context.js';
import { chosen } from '../../words.js';
import { PAYEE_STATUSES, PAYOUT_METHODS } from '../payments/words.js';

const DETAILS = 'id version payoutMethod destinationEnding verificationStatus';

const readPayee = graphql(`
  query payoutDetails($id: ID!) {
    worker(id: $id) { id name }
    workerAccess(workerId: $id) { joinedAt }
    payees(workerId: $id, limit: 1) { nodes { ${DETAILS} } }
  }`);

const GIVEN = '$holder: String, $payoutMethod: PayoutMethod!, $destination: String!, $operationId: ID';
const SENT = 'holder: $holder, payoutMethod: $payoutMethod, destination: $destination, operationId: $operationId';

const registerPayee = graphql(
  `mutation registerPayee($workerId: ID!, ${GIVEN}) { registerPayee(workerId: $workerId, ${SENT}) { id } }`,
);

const changePayee = graphql(`
  mutation changePayee($id: ID!, $expectedVersion: String, ${GIVEN}) {
    changePayee(id: $id, expectedVersion: $expectedVersion, ${SENT}) { id }
  }`);

export const DETAILS_WORDING: FieldMessages = {
  holder: 'Enter the name that the account is in, in 140 characters or fewer',
  payoutMethod: 'Choose how the money is sent',
  'destination too_long': 'The account must be 254 characters or fewer',
  'destination invalid_characters': 'The account contains characters that are not allowed',
  'destination no_bank_transfer': 'Enter a valid IBAN, or the account number with the code of its bank',
  'destination no_wise': 'Enter an email address, a Wisetag such as @ada, or a bank account',
  'destination no_payoneer': 'Enter an email address or a customer id',
  'destination no_usdc_wallet': 'Enter the address of a wallet',
  destination: 'Enter the account that the money goes to',
  'workerId taken': 'Somebody else has added payout details meanwhile. Look at them first',
  STALE_RESOURCE_VERSION: 'The payout details have changed meanwhile. Look at them first',
};

/** Admins enter a worker's payout details; nothing is paid out before a second person has verified them. */
export const payoutDetailsPages = formPage('/workspaces/:workspaceId/workers/:id/payout-details', {
  wording: DETAILS_WORDING,
  load: async (ctx) => {
    const { run, mutate, path } = await requireRole(ctx, ['admin']);
    await ctx.requireRecent();
    const { worker, workerAccess, payees } = await run(readPayee, { id: idIn(ctx) });
    if (worker === null) throw notFound('What this address names');
    const isTheirs = workerAccess.joinedAt !== null;
    return { mutate, worker, isTheirs, payee: payees.nodes[0], back: `${path}/${worker.id}`, typed: ctx.typed };
  },
  view: ({ worker, isTheirs, payee, back, typed }) => ({
    title: `Payout details of ${worker.name}`,
    lead: isTheirs
      ? `${worker.name} signs in and enters them, and nobody else does. Our staff verify them with ${worker.name} before any money is sent there.`
      : 'Before anything is paid there, our staff check with the worker that it is theirs. Payments that are due meanwhile fail, and you can try them again; after a change of verified details they wait for some time first.',
    body: (
      <>
        {payee && (
          <DefinitionList
            of={{
              Now: `${PAYOUT_METHODS[payee.payoutMethod]}, ending in ${payee.destinationEnding}`,
              Status: PAYEE_STATUSES[payee.verificationStatus],
            }}
          />
        )}
        {isTheirs ? (
          <p>
            <a href={back}>Back to {worker.name}</a>
          </p>
        ) : (
          <Form>
            <OperationId />
            <input type="hidden" name="payee" value={payee?.id ?? ''} />
            <input type="hidden" name="version" value={payee?.version ?? ''} />
            <DetailsFields
              typed={typed}
              method={payee?.payoutMethod}
              holder={{ hint: 'As the worker’s bank has it. Our staff compare it.', autocomplete: 'off' }}
              hint="The account that this method needs, such as an IBAN. It will not be shown again."
            />
            <ConfirmButtons label="Save" back={back} keep="Leave it as it is" />
          </Form>
        )}
      </>
    ),
  }),
  // Decided by the form, not by the current state, so that a form sent twice is the same operation.
  submit: async ({ mutate, worker, back }, ctx) => {
    const operationId = operationIn(ctx);
    const given = { ...detailsIn(ctx), holder: textOf(ctx, 'holder').trim() || null };
    const [id, expectedVersion] = [textOf(ctx, 'payee'), textOf(ctx, 'version')];
    if (id === '') await mutate(registerPayee, { workerId: worker.id, ...given }, operationId);
    else await mutate(changePayee, { id, expectedVersion, ...given }, operationId);
    return { to: back, notice: id === '' ? SAVED : SAVED_CHANGE };
  },
});

const SAVED = 'Saved. Until the details are verified, payments to this worker fail.';
const SAVED_CHANGE =
  'Saved. Payments to this worker fail until the details are verified; those that are due soon after a change of verified details wait first.';

/** How the money is sent, and where to. @throws DomainError `VALIDATION_FAILED` if no method is chosen */
export function detailsIn(form: SentForm) {
  const payoutMethod = chosen(textOf(form, 'payoutMethod'), PAYOUT_METHODS);
  if (payoutMethod !== '') return { payoutMethod, destination: textOf(form, 'destination') };
  const details = [{ path: 'payoutMethod', code: 'required' }];
  throw new DomainError('VALIDATION_FAILED', 'A payout has a method.', { details });
}

interface DetailsFieldsProps {
  /** The form that is filled in again. */
  typed: SentForm | null;
  method: string | undefined;
  holder: { value?: string; hint: string; autocomplete: string };
  /** For the field of the account. */
  hint: string;
}

export function DetailsFields({ typed, method = 'bank_transfer', holder, hint }: DetailsFieldsProps): VNode {
  const value = (name: string, now = ''): string => (typed === null ? now : textOf(typed, name));
  return (
    <>
      <Field name="holder" label="Name on the account" {...holder} value={value('holder', holder.value)} />
      <Select name="payoutMethod" label="Sent by" options={PAYOUT_METHODS} value={value('payoutMethod', method)} />
      <Field name="destination" label="Account" hint={hint} autocomplete="off" />
    </>
  );
}
