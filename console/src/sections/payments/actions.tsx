import { notFound } from '@payroll/kernel';
import { ConfirmButtons, DefinitionList, Form, type Notice, OperationId, textOf, type PageView } from '@payroll/pages';
import type { ConsoleContext } from '../../console-context.js';
import { ChangeNotice, changesSince, type Change, type Snapshot, seenText } from '../../snapshot.js';
import { dayText, moneyText, PAYMENT_STATUSES } from '../../words.js';
import { formPage, type RouteTable } from '../../routes.js';
import { operationIn, requireRole, type WorkspaceContext } from '../../workspace-context.js';
import { initiatePayout, readPayment, retryPayment, type Payment } from './operations.js';
import { FAILURES, HOLDS } from './words.js';

const SECTION = '/workspaces/:workspaceId/payments/:id';

interface Entered extends WorkspaceContext {
  payment: Payment;
  /** For a submitted form: the differences from the values that its sender saw. */
  changes: readonly Change[];
}

/** Neither is offered while the payment would fail, is held or waits. */
export const mayRetry = ({ status, obstacle, heldBy }: Payment): boolean =>
  status === 'failed' && obstacle === null && heldBy === null;
export const mayPay = ({ status, obstacle, heldBy, waitsUntil }: Payment): boolean =>
  status === 'pending' && obstacle === null && heldBy === null && waitsUntil === null;

/** The page shows the current state and asks for confirmation again. */
const WORDING = {
  STALE_RESOURCE_VERSION:
    'The payment has changed since you opened this page, and nothing was done. Below is how it is now.',
};

export const paymentActs: RouteTable = {
  ...formPage(`${SECTION}/retry`, {
    wording: WORDING,
    load: enter,
    view: (entered) => ({
      title: 'Try this payment again?',
      lead: entered.payment.autoPayEnabled
        ? 'It is scheduled again, and sent within moments if it is due.'
        : 'It is scheduled again. An admin pays it then.',
      body: <Confirm entered={entered} isOpen={mayRetry(entered.payment)} label="Try again" keep="Leave it failed" />,
    }),
    submit: async ({ mutate, path, payment }, ctx) => {
      await mutate(retryPayment, seen(ctx, payment), operationIn(ctx));
      return { to: `${path}/${payment.id}`, notice: 'The payment is scheduled again.' };
    },
  }),
  ...formPage(`${SECTION}/pay`, {
    wording: WORDING,
    load: enter,
    view: (entered) => ({
      title: 'Pay it now?',
      lead: 'The money is taken from your balance and sent at once, whatever day it is due. This cannot be undone.',
      body: (
        <Confirm
          entered={entered}
          isOpen={mayPay(entered.payment)}
          label={`Pay ${moneyText(entered.payment.netAmount)}`}
          keep="Do not pay yet"
        />
      ),
    }),
    submit: async ({ mutate, path, payment }, ctx) => {
      const { initiatePayout: paid } = await mutate(initiatePayout, seen(ctx, payment), operationIn(ctx));
      return { to: `${path}/${payment.id}`, ...PAID[paid.status] };
    },
  }),
};

/** The result: the payment may have failed, and deductions may have left nothing to send. */
const PAID: Readonly<Record<string, Notice>> = {
  processing: { notice: 'The payment is on its way.' },
  completed: { notice: 'Deductions took all of it: there was nothing to pay.' },
  failed: { notice: 'The payment could not be sent.', isFailure: true },
};

async function enter(ctx: ConsoleContext): Promise<Entered> {
  const visit = await requireRole(ctx, ['admin']);
  await ctx.requireRecent();
  const { payment } = await visit.run(readPayment, { id: ctx.param('id') });
  if (!payment) throw notFound('The payment');
  return { ...visit, payment, changes: ctx.isForm ? changesSince(ctx, factsOf(payment)) : [] };
}

interface ConfirmProps {
  entered: Entered;
  isOpen: boolean;
  label: string;
  keep: string;
}

/** Without a form where the payment is not possible or would fail. */
function Confirm({ entered, isOpen, label, keep }: ConfirmProps): PageView['body'] {
  const { payment, path, changes } = entered;
  return (
    <>
      {changes.length > 0 && <ChangeNotice changes={changes}>{AGAIN}</ChangeNotice>}
      <DefinitionList of={factsOf(payment)} />
      {isOpen ? (
        <Form>
          <input type="hidden" name="version" value={payment.updatedAt} />
          <input type="hidden" name="seen" value={seenText(factsOf(payment))} />
          <OperationId />
          <ConfirmButtons label={label} back={`${path}/${payment.id}`} keep={keep} />
        </Form>
      ) : (
        <>
          <p>{whyNot(payment)}</p>
          <p>
            <a href={`${path}/${payment.id}`}>Open the payment</a>
          </p>
        </>
      )}
    </>
  );
}

function whyNot({ obstacle, heldBy, waitsUntil }: Payment): string {
  if (heldBy !== null) return HOLDS[heldBy];
  if (waitsUntil !== null) return 'The worker’s payout details are on hold. Nothing is paid to them yet.';
  return obstacle === null ? 'That is not possible now.' : `It would fail now. ${FAILURES[obstacle].now}`;
}

const AGAIN = 'Look at the payment once more, and decide about what it is now.';

function factsOf({ contract, netAmount, scheduledDate, status, failureReason }: Payment): Snapshot {
  return {
    To: contract.worker.name ?? 'No worker yet',
    Contract: contract.title,
    Amount: moneyText(netAmount),
    'Pay date': scheduledDate === null ? 'At once' : dayText(scheduledDate),
    Status: PAYMENT_STATUSES[status],
    ...(failureReason !== null && { 'Why it failed': FAILURES[failureReason].why }),
  };
}

function seen(ctx: ConsoleContext, { id }: Payment): { id: string; expectedVersion: string } {
  return { id, expectedVersion: textOf(ctx, 'version') };
}
