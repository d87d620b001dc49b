import { notFound } from '@payroll/kernel';
import { DefinitionList, LinkButton, type PageView, Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../deployment.js';
import type { ConsoleContext } from '../../console-context.js';
import { Amount, Status, WorkerLink } from '../../pieces.js';
import { dayText, moneyText, PAYMENT_STATUSES, periodText } from '../../words.js';
import { orUnread, requireMember } from '../../workspace-context.js';
import { ENTRIES_SHOWN, readNewest } from '../activity/trails.js';
import { History } from '../activity/timeline.js';
import { mayPay, mayRetry } from './actions.js';
import { readPaidWork, readPayeeOf, readPayment, type Payment } from './operations.js';
import {
  ATTEMPT_STATUSES,
  FAILURES,
  HOLDS,
  isNothing,
  PAYEE_STATUSES,
  PAYOUT_METHODS,
  paymentStatusText,
  workText,
} from './words.js';

export async function onePayment(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireMember(ctx);
  const { run, role, path, home } = visited;
  const { payment } = await run(readPayment, { id: ctx.param('id') });
  if (!payment) throw notFound('The payment');
  const workerId = payment.contract.worker.id;
  const [found, done, paid] = await Promise.all([
    workerId === null ? null : run(readPayeeOf, { workerId }),
    readNewest(visited, ENTRIES_SHOWN, payment.id, 'payments'),
    orUnread(run(readPaidWork, { id: payment.id })),
  ]);
  const payee = found?.payees.nodes[0] ?? null;
  const work = workText({ ...payment, ...paid?.payment }, (start, end) => `Timesheet ${periodText(start, end)}`);
  const isMine = role === 'admin' && (mayRetry(payment) || mayPay(payment));
  const body = (
    <>
      <p>
        <Status of={payment.status} words={PAYMENT_STATUSES} />
      </p>
      <div class="columns">
        {(isMine || isObstructed(payment)) && (
          <div class="side">
            <Held by={payment.heldBy} />
            <Waits of={payment} />
            <InTheWay payment={payment} home={home} isAdmin={role === 'admin'} />
            {role === 'admin' && <Acts payment={payment} path={`${path}/${payment.id}`} />}
          </div>
        )}
        <div class="main">
          <DefinitionList of={factsOf(payment, home, payee && PAYEE_STATUSES[payee.verificationStatus], work)} />
          <Deductions payment={payment} />
          {role === 'admin' && payment.status === 'pending' && (
            <p class="hint">Should it not be made? Support can cancel it until it is sent.</p>
          )}
        </div>
      </div>
      <Attempts payment={payment} />
      <History entries={done.entries} home={home} id={payment.id} />
    </>
  );
  const title = `Payment of ${moneyText(payment.netAmount)}`;
  return { title, lead: paymentStatusText(payment, await today(ctx)), body };
}

function factsOf(payment: Payment, home: string, payee: string | null, work: string) {
  const { contract, netAmount, grossAmount, deductions, scheduledDate, timesheetId, milestoneId } = payment;
  const { worker } = contract;
  const workPath =
    timesheetId === null ? `${home}/review/milestone/${milestoneId}` : `${home}/review/timesheet/${timesheetId}`;
  return {
    To: <WorkerLink of={worker} home={home} />,
    'Payout details': payee ?? 'None yet',
    Contract: <a href={`${home}/contracts/${contract.id}`}>{contract.title}</a>,
    For: <a href={workPath}>{work}</a>,
    'Approved amount': deductions.length > 0 && <Amount of={grossAmount} />,
    'The worker gets': <Amount of={netAmount} />,
    'Pay date': scheduledDate === null ? 'At once' : dayText(scheduledDate),
    'Paid automatically': payment.autoPayEnabled ? 'Yes' : 'No',
    Reference: <code>{payment.id}</code>,
    Created: <Time at={payment.createdAt} />,
    ...(payment.processedAt !== null && { 'Last attempt': <Time at={payment.processedAt} /> }),
    ...(payment.completedAt !== null && !isNothing(payment.netAmount) && { Paid: <Time at={payment.completedAt} /> }),
  };
}

const isObstructed = ({ heldBy, waitsUntil, failureReason, obstacle }: Payment): boolean =>
  heldBy !== null || waitsUntil !== null || failureReason !== null || obstacle !== null;

/** A hold can only be resolved by finance, not by the workspace. */
function Held({ by }: { by: Payment['heldBy'] }): VNode | null {
  if (by === null) return null;
  return (
    <section aria-labelledby="held">
      <h2 id="held">What holds it</h2>
      <p>{HOLDS[by]}</p>
      <p>Until then you need not do anything.</p>
    </section>
  );
}

/** Ends by itself: the worker has time to stop a change that is not theirs. */
function Waits({ of: { waitsUntil: until, autoPayEnabled } }: { of: Payment }): VNode | null {
  if (until === null) return null;
  return (
    <section aria-labelledby="waits">
      <h2 id="waits">Until when it waits</h2>
      <p>
        The worker’s payout details are on hold: they were changed, or our staff ended the access with which they were
        entered. Nothing is paid to them before <Time at={until} />, so that a stranger’s details are noticed first.
      </p>
      <p>If they are verified by then, {autoPayEnabled ? 'it goes on by itself' : 'it can be paid from then on'}.</p>
    </section>
  );
}

/** Why it failed, and why it would fail now, which may differ. */
function InTheWay({ payment, home, isAdmin }: { payment: Payment; home: string; isAdmin: boolean }): VNode | null {
  const { failureReason, obstacle } = payment;
  if (failureReason === null && obstacle === null) return null;
  const why = failureReason && FAILURES[failureReason].why;
  // Only the provider knows whether it would decline again.
  const open = obstacle ?? (failureReason === 'provider_declined' ? failureReason : null);
  const todo = open && FAILURES[open];
  const isNews = obstacle !== null && obstacle !== failureReason;
  return (
    <section aria-labelledby="in-the-way">
      <h2 id="in-the-way">{headOf(payment)}</h2>
      {why !== null && <p>{why}</p>}
      {isNews && <p>{FAILURES[obstacle].now}</p>}
      <p>{todo?.mend ?? 'That is no longer so.'}</p>
      {obstacle !== 'amount_unpayable' && <p>{nextText(payment, isAdmin)}</p>}
      <WayThere to={todo?.at ?? null} workerId={payment.contract.worker.id} home={home} />
    </section>
  );
}

function headOf({ status, obstacle }: Payment): string {
  if (status === 'failed') return 'Why it failed';
  return obstacle === 'amount_unpayable' ? 'It cannot be paid' : 'It cannot be paid yet';
}

/** Nothing where the reader has the button for it below. */
function nextText({ status, obstacle, autoPayEnabled, heldBy }: Payment, isAdmin: boolean): string | null {
  const who = isAdmin ? 'you' : 'an admin';
  if (heldBy !== null) {
    return status === 'failed'
      ? `Once nothing holds it, ${who} can try it again.`
      : 'Once nothing holds it, it would fail.';
  }
  if (obstacle === null) return isAdmin ? null : 'An admin can try it again.';
  if (status === 'failed') return `After that ${who} can try it again.`;
  return autoPayEnabled ? 'Otherwise it fails when it is due.' : `After that ${who} can pay it.`;
}

function WayThere({ to, workerId, home }: { to: 'money' | 'worker' | null; workerId: string | null; home: string }) {
  if (to === null || (to === 'worker' && workerId === null)) return null;
  const [path, label] =
    to === 'money' ? ['money#fund', 'How to add money'] : [`workers/${workerId}`, 'Open the worker'];
  return (
    <p>
      <a href={`${home}/${path}`}>{label}</a>
    </p>
  );
}

function Acts({ payment, path }: { payment: Payment; path: string }): VNode | null {
  if (mayRetry(payment)) return <LinkButton href={`${path}/retry`}>Try again</LinkButton>;
  return mayPay(payment) ? <LinkButton href={`${path}/pay`}>Pay it now</LinkButton> : null;
}

function Deductions({ payment: { deductions } }: { payment: Payment }): VNode | null {
  if (deductions.length === 0) return null;
  return (
    <section aria-labelledby="deductions">
      <h2 id="deductions">Deductions</h2>
      <Table
        caption="Deductions"
        rows={deductions}
        columns={{ For: ({ name }) => name, Amount: ({ amount }) => <Amount of={amount} /> }}
        numbers={['Amount']}
        plain={['Amount']}
      />
    </section>
  );
}

function Attempts({ payment: { payoutAttempts } }: { payment: Payment }): VNode | null {
  if (payoutAttempts.length === 0) return null;
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <Table
        caption="Attempts to pay it, oldest first"
        plain={['Status']}
        rows={payoutAttempts.map((attempt) => ({ ...attempt, id: String(attempt.number) }))}
        columns={{
          Attempt: ({ number }) => number,
          Status: ({ status }) => ATTEMPT_STATUSES[status],
          Paid: ({ paidAmount }) => paidAmount && <Amount of={paidAmount} />,
          By: ({ payoutMethod }) => PAYOUT_METHODS[payoutMethod],
          Begun: ({ createdAt }) => <Time at={createdAt} />,
          'Last change': ({ updatedAt }) => <Time at={updatedAt} />,
        }}
      />
    </section>
  );
}
