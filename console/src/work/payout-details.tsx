import { ConfirmButtons, DefinitionList, Form, OperationId, Table, textOf, Time } from '@payroll/pages';
import { type FieldOf, graphql, ONCE, type RowOf, SENT } from '../operations.js';
import { Amount, Day } from '../pieces.js';
import { formPage } from '../routes.js';
import { PAYEE_STATUSES, PAYOUT_METHODS } from '../sections/payments/words.js';
import { DETAILS_WORDING, DetailsFields, detailsIn } from '../sections/workers/payout-details.js';
import { operationIn, requireWorker } from '../workspace-context.js';

const readMyPayee = graphql(`
  query myPayoutDetails {
    myPayee {
      holder
      payoutMethod
      destinationEnding
      verificationStatus
      heldUntil
      stoppedAt
      version
    }
    myPayments(isOpen: true, limit: 100) {
      nodes {
        id
        status
        scheduledDate
        netAmount {
          amount
          currency
        }
        sentBy
        sentToEnding
      }
    }
  }
`);

const enterMyPayee = graphql(`
  mutation enterMyPayee(
    $holder: String!, $payoutMethod: PayoutMethod!, $destination: String!, $expectedVersion: String, ${ONCE}
  ) {
    enterMyPayee(
      holder: $holder, payoutMethod: $payoutMethod, destination: $destination, expectedVersion: $expectedVersion, ${SENT}
    ) { version }
  }`);

type MyPayee = FieldOf<typeof readMyPayee, 'myPayee'>;
type OpenPayment = RowOf<typeof readMyPayee, 'myPayments'>;

/** A worker enters where they are paid; nothing is paid there before our staff have verified it with them. */
export const myPayoutDetailsPages = formPage('/work/:workspaceId/payout-details', {
  wording: DETAILS_WORDING,
  load: async (ctx) => {
    const { path, names } = await requireWorker(ctx);
    await ctx.requireRecent();
    const { myPayee, myPayments } = await ctx.run(readMyPayee, {});
    return { path, names, payee: myPayee, open: myPayments.nodes, typed: ctx.typed };
  },
  view: ({ path, names, payee, open, typed }) => ({
    title: 'Payout details',
    lead: `Where ${names.workspace} pays you. Only you enter it; our staff verify it with you before any money is sent there.`,
    body: (
      <>
        {payee !== null && <CurrentDetails of={payee} business={names.workspace} />}
        <OpenPayments of={open} payee={payee} />
        <h2>{payee === null ? 'Enter payout details' : 'Change payout details'}</h2>
        <Form>
          <OperationId />
          <input type="hidden" name="version" value={payee?.version ?? ''} />
          <DetailsFields
            typed={typed}
            method={payee?.payoutMethod}
            holder={{ value: payee?.holder ?? '', hint: 'As your bank has it.', autocomplete: 'name' }}
            hint="What the method needs to find you, such as an IBAN. It is not shown again."
          />
          <ConfirmButtons label="Save" back={`${path}/payments`} keep="Leave it as it is" />
        </Form>
      </>
    ),
  }),
  submit: async ({ path }, ctx) => {
    const given = { ...detailsIn(ctx), holder: textOf(ctx, 'holder'), expectedVersion: textOf(ctx, 'version') || null };
    await ctx.mutate(enterMyPayee, given, operationIn(ctx));
    const notice = 'Saved. Our staff verify the account with you before any money is sent there.';
    return { to: `${path}/payout-details`, notice };
  },
});

function CurrentDetails({ of: payee, business }: { of: NonNullable<MyPayee>; business: string }) {
  return (
    <>
      <DefinitionList
        of={{
          'Name on the account': payee.holder,
          Account: accountText(payee.payoutMethod, payee.destinationEnding),
          Status: PAYEE_STATUSES[payee.verificationStatus],
          'On hold until': payee.heldUntil && <Time at={payee.heldUntil} />,
        }}
      />
      {payee.heldUntil && (
        <p>
          Your details were changed, or our staff ended the access with which they were entered. For your safety nothing
          is paid to them before the time above: payments that are due meanwhile wait until then. Did somebody else
          change them? Stop the change with the link in the mail that we sent you about it. If there is no such mail,
          change your password and tell {business} at once.
        </p>
      )}
      {payee.stoppedAt && (
        <p>
          The last change was stopped <Time at={payee.stoppedAt} />, with the link that was mailed to you. These are
          your former details again.
        </p>
      )}
    </>
  );
}

function OpenPayments({ of, payee }: { of: readonly OpenPayment[]; payee: MyPayee | null }) {
  if (of.length === 0) return null;
  return (
    <>
      <h2>Which payment goes where</h2>
      <Table
        caption="Payments that have not arrived yet, newest first"
        rows={of}
        columns={{
          'Pay date': ({ scheduledDate }) => <Day of={scheduledDate} none="At once" />,
          'Goes to': (payment) => goesTo(payment, payee),
          Amount: ({ netAmount }) => <Amount of={netAmount} />,
        }}
        numbers={['Amount']}
        plain={['Goes to', 'Amount']}
      />
    </>
  );
}

function goesTo({ status, sentBy, sentToEnding }: OpenPayment, payee: MyPayee | null): string {
  if (status === 'processing' && sentBy && sentToEnding) return `On its way to ${accountText(sentBy, sentToEnding)}`;
  if (payee === null || payee.verificationStatus === 'rejected') return 'Needs payout details that can be used';
  const account = accountText(payee.payoutMethod, payee.destinationEnding);
  const conditions = [
    payee.heldUntil && 'after the waiting time',
    payee.verificationStatus !== 'verified' && 'once verified',
  ];
  return [account, ...conditions.filter(Boolean)].join(', ');
}

export function accountText(method: MyPayee['payoutMethod'], ending: string): string {
  return `${PAYOUT_METHODS[method]}, ending in ${ending}`;
}
