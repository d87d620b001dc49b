import { DomainError, notFound } from '@payroll/kernel';
import {
  type PageResponse,
  ConfirmButtons,
  DefinitionList,
  Field,
  Form,
  OperationId,
  type PageView,
  type Problem,
  problemsOf,
  Select,
  type SentForm,
  textOf,
  type FieldMessages,
} from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { graphql } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
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
};

export const CHANGED: Problem = {
  field: null,
  message: 'The payout details have changed meanwhile. Look at them first',
};

const PATH = '/workspaces/:workspaceId/workers/:id/payout-details';

/** Admins enter a worker's payout details; nothing is paid out before a second person has verified them. */
export const payoutDetailsPages: RouteTable = {
  [`GET ${PATH}`]: async (ctx) => formOf(await enter(ctx), ctx.typed),
  [`POST ${PATH}`]: save,
};

async function enter(ctx: ConsoleContext) {
  const { run, mutate, path } = await requireRole(ctx, ['admin']);
  await ctx.requireRecent();
  const { worker, workerAccess, payees } = await run(readPayee, { id: idIn(ctx) });
  if (worker === null) throw notFound('What this address names');
  const isTheirs = workerAccess.joinedAt !== null;
  return { mutate, worker, isTheirs, payee: payees.nodes[0] ?? null, back: `${path}/${worker.id}` };
}

type Entered = Awaited<ReturnType<typeof enter>>;

async function save(ctx: ConsoleContext): Promise<PageResponse> {
  const entered = await enter(ctx);
  try {
    await savePayee(entered, ctx);
  } catch (error) {
    const isStale = error instanceof DomainError && error.code === 'STALE_RESOURCE_VERSION';
    if (isStale) return { ...formOf(entered, ctx), problems: [CHANGED], status: 409 };
    return { ...formOf(entered, ctx), problems: problemsOf(error, DETAILS_WORDING) };
  }
  return { to: entered.back, notice: textOf(ctx, 'payee') === '' ? SAVED : SAVED_CHANGE };
}

const SAVED = 'Saved. Until the details are verified, payments to this worker fail.';
const SAVED_CHANGE =
  'Saved. Payments to this worker fail until the details are verified; those that are due soon after a change of verified details wait first.';

/** Decided by the form, not by the current state, so that a form sent twice is the same operation. */
async function savePayee({ mutate, worker }: Entered, form: SentForm): Promise<unknown> {
  const operationId = operationIn(form);
  const holder = textOf(form, 'holder').trim() || null;
  const given = { holder, payoutMethod: methodIn(form), destination: textOf(form, 'destination') };
  const [id, expectedVersion] = [textOf(form, 'payee'), textOf(form, 'version')];
  if (id === '') return await mutate(registerPayee, { workerId: worker.id, ...given }, operationId);
  return await mutate(changePayee, { id, expectedVersion, ...given }, operationId);
}

/** @throws DomainError `VALIDATION_FAILED` if none is chosen */
export function methodIn(form: SentForm) {
  const method = chosen(textOf(form, 'payoutMethod'), PAYOUT_METHODS);
  if (method !== '') return method;
  const details = [{ path: 'payoutMethod', code: 'required' }];
  throw new DomainError('VALIDATION_FAILED', 'A payout has a method.', { details });
}

function formOf({ worker, isTheirs, payee, back }: Entered, typed: SentForm | null): PageView {
  const body = (
    <>
      {payee !== null && (
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
        <DetailsForm payee={payee} back={back} typed={typed} />
      )}
    </>
  );
  const lead = isTheirs
    ? `${worker.name} signs in and enters them, and nobody else does. Our staff verify them with ${worker.name} before any money is sent there.`
    : 'Before anything is paid there, our staff check with the worker that it is theirs. Payments that are due meanwhile fail, and you can try them again; after a change of verified details they wait for some time first.';
  return { title: `Payout details of ${worker.name}`, lead, body };
}

function DetailsForm({ payee, back, typed }: Pick<Entered, 'payee' | 'back'> & { typed: SentForm | null }): VNode {
  const method = typed === null ? payee?.payoutMethod : textOf(typed, 'payoutMethod');
  return (
    <Form>
      <OperationId />
      <input type="hidden" name="payee" value={payee?.id ?? ''} />
      <input type="hidden" name="version" value={payee?.version ?? ''} />
      <Field
        name="holder"
        label="Name on the account"
        hint="As the worker’s bank has it. Our staff compare it."
        value={typed === null ? '' : textOf(typed, 'holder')}
        autocomplete="off"
      />
      <Select name="payoutMethod" label="Sent by" options={PAYOUT_METHODS} value={method ?? 'bank_transfer'} />
      <Field
        name="destination"
        label="Account"
        hint="The account that this method needs, such as an IBAN. It will not be shown again."
        autocomplete="off"
      />
      <ConfirmButtons label="Save" back={back} keep="Leave it as it is" />
    </Form>
  );
}
