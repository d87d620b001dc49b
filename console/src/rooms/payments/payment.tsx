import { instantOf, notFound } from '@payroll/kernel';
import { Facts, LinkButton, type Page, Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleExchange } from '../../exchange.js';
import { Amount, HistoryLink, Status } from '../../pieces.js';
import { dayText, moneyText, PAYMENT_STATUSES } from '../../words.js';
import { visit } from '../../visit.js';
import { readPayeeOf, readPayment, type Payment } from './operations.js';
import { ATTEMPT_STATUSES, FAILURES, PAYEE_STATUSES, PAYOUT_METHODS, statusInWords } from './words.js';

export async function onePayment(at: ConsoleExchange): Promise<Page> {
  const { ask, role, path, workspaceId } = await visit(at, 'payments');
  const { payment } = await ask(readPayment, { id: at.param('id') });
  if (!payment) throw notFound('The payment');
  const home = `/workspaces/${workspaceId}`;
  const workerId = payment.contract.worker.id;
  const payee = workerId === null ? null : ((await ask(readPayeeOf, { workerId })).payees.nodes[0] ?? null);
  const body = (
    <>
      <p>
        <Status of={payment.status} words={PAYMENT_STATUSES} />
      </p>
      {payment.failureReason !== null && <Failed payment={payment} home={home} />}
      {role === 'admin' && <Acts payment={payment} path={`${path}/${payment.id}`} />}
      <Facts of={factsOf(payment, home, payee && (PAYEE_STATUSES[payee.verificationStatus] ?? null))} />
      <Deductions payment={payment} />
      <Attempts payment={payment} />
      <HistoryLink home={home} id={payment.id} />
    </>
  );
  const title = `Payment of ${moneyText(payment.netAmount)}`;
  return { title, lead: statusInWords(payment, instantOf(new Date()).slice(0, 10)), body };
}

function factsOf(payment: Payment, home: string, payee: string | null) {
  const { contract, netAmount, grossAmount, scheduledDate, timesheetId, milestoneId } = payment;
  const { worker } = contract;
  const work =
    timesheetId === null ? `${home}/review/milestone/${milestoneId}` : `${home}/review/timesheet/${timesheetId}`;
  return {
    To: worker.id === null ? 'Nobody yet' : <a href={`${home}/workers/${worker.id}`}>{worker.name ?? 'A worker'}</a>,
    'Payout details': payee ?? 'None yet',
    Contract: <a href={`${home}/contracts/${contract.id}`}>{contract.title}</a>,
    For: <a href={work}>{timesheetId === null ? 'A milestone' : 'A timesheet'}</a>,
    'Approved amount': <Amount of={grossAmount} />,
    'The worker gets': <Amount of={netAmount} />,
    Due: scheduledDate === null ? 'At once' : dayText(scheduledDate),
    'Paid automatically': payment.autoPayEnabled ? 'Yes' : 'No',
    Created: <Time at={payment.createdAt} />,
    ...(payment.processedAt !== null && { 'Last attempt': <Time at={payment.processedAt} /> }),
    ...(payment.completedAt !== null && { Paid: <Time at={payment.completedAt} /> }),
  };
}

function Failed({ payment, home }: { payment: Payment; home: string }): VNode | null {
  const failure = FAILURES[payment.failureReason ?? ''];
  if (failure === undefined) return null;
  const workerId = payment.contract.worker.id;
  return (
    <section aria-labelledby="failed">
      <h2 id="failed">Why it failed</h2>
      <p>{failure.why}</p>
      <p>{failure.todo}</p>
      {failure.at === 'money' && (
        <p>
          <a href={`${home}/money`}>How to add money</a>
        </p>
      )}
      {failure.at === 'worker' && workerId !== null && (
        <p>
          <a href={`${home}/workers/${workerId}`}>Open the worker</a>
        </p>
      )}
    </section>
  );
}

function Acts({ payment, path }: { payment: Payment; path: string }): VNode | null {
  if (payment.status === 'failed') return <LinkButton href={`${path}/retry`}>Try again</LinkButton>;
  if (payment.status === 'pending') return <LinkButton href={`${path}/pay`}>Pay it now</LinkButton>;
  return null;
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
        rows={payoutAttempts.map((attempt) => ({ ...attempt, id: String(attempt.number) }))}
        columns={{
          Attempt: ({ number }) => number,
          Status: ({ status }) => ATTEMPT_STATUSES[status] ?? status,
          By: ({ payoutMethod }) => PAYOUT_METHODS[payoutMethod] ?? payoutMethod,
          Begun: ({ createdAt }) => <Time at={createdAt} />,
          'Last change': ({ updatedAt }) => <Time at={updatedAt} />,
        }}
      />
    </section>
  );
}
