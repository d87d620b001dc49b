import { Facts, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day } from '../pieces.js';
import type { MyPayment } from './payment-operations.js';
import { statusInWords } from './payment-words.js';
import type { workVisit } from './visit.js';

/** To print, of a completed payment alone: any other would look like a proof of payment. */
export function paymentAdvice(
  { path, names }: Awaited<ReturnType<typeof workVisit>>,
  { payment, contract }: { payment: MyPayment; contract: string },
): Page {
  const { id, completedAt, grossAmount, netAmount, paidAmount } = payment;
  const crumbs = [{ label: 'Payment', path: `${path}/payments/${id}` }];
  const title = 'Payment advice';
  if (completedAt === null) {
    return { title, crumbs, lead: 'There is an advice once the payment has been made.', body: <></>, status: 409 };
  }
  const body = (
    <>
      <Facts
        of={{
          'Paid by': names.workspace,
          'Paid to': names.person,
          For: contract,
          Day: <Day of={completedAt.slice(0, 10)} />,
          Reference: <code>{id}</code>,
          'Approved amount': <Amount of={grossAmount} />,
          Deductions: <Deductions of={payment} />,
          Net: <Amount of={netAmount} />,
          Paid: paidAmount && <Amount of={paidAmount} />,
        }}
      />
      <p>No tax was calculated. This is neither an invoice nor a tax document.</p>
    </>
  );
  return { title, crumbs, lead: statusInWords(payment), body };
}

export function Deductions({ of: { deductions } }: { of: Pick<MyPayment, 'deductions'> }): VNode {
  if (deductions.length === 0) return <>None</>;
  return (
    <ul>
      {deductions.map(({ name, amount }, n) => (
        <li key={n}>
          {name}: <Amount of={amount} />
        </li>
      ))}
    </ul>
  );
}
