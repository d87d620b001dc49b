import { Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day } from '../../pieces.js';
import { moneyText, unitOf, unitsText } from '../../words.js';
import { choiceOf } from './chosen.js';
import type { QueuedWork } from './operations.js';
import { KINDS, workText } from './words.js';

/** The id of the form below the tables, to which their checkboxes belong. */
export const CHOSEN_FORM = 'chosen';

export interface Offered {
  path: string;
  filter: Readonly<Record<string, string>>;
  isReviewer: boolean;
  isChosen: (work: QueuedWork) => boolean;
}

export function WorkTable({ works, ...offered }: Offered & { works: readonly QueuedWork[] }): VNode {
  return (
    <Table
      caption="Work that waits for a review"
      rows={works}
      sorted="Submitted"
      filters={offered.filter}
      columns={{
        Work: (work) => <WorkCell {...{ work, ...offered }} />,
        Worker: ({ contract }) => contract.worker.name ?? 'Nobody named',
        Contract: ({ contract }) => contract.title,
        Submitted: ({ submittedAt }) => <Day of={submittedAt.slice(0, 10)} />,
        Due: ({ paymentScheduledDate }) => <Day of={paymentScheduledDate} none="At once" />,
        Pays: ({ amount }) => <Amount of={amount} />,
      }}
      numbers={['Pays']}
      plain={['Worker', 'Contract', 'Pays']}
    />
  );
}

function WorkCell({ work, path, isReviewer, isChosen }: Omit<Offered, 'filter'> & { work: QueuedWork }): VNode {
  const { kind, id, contract, amount } = work;
  const text = workText(work);
  return (
    <div class="pick">
      {isReviewer && (
        <input
          type="checkbox"
          form={CHOSEN_FORM}
          name="piece"
          value={choiceOf(work)}
          data-amount={amount.amount}
          data-currency={amount.currency}
          checked={isChosen(work)}
          aria-label={`Select ${text}, ${contract.worker.name ?? contract.title}`}
        />
      )}
      <div>
        <a href={`${path}/${kind}/${id}`}>{text}</a>
        <p class="hint">{howMuch(work)}</p>
      </div>
    </div>
  );
}

/** "10 hours at 50.00 EUR", or "Milestone". */
function howMuch({ kind, unitsWorked, rate, amount: { currency }, contract }: QueuedWork): string {
  if (unitsWorked === null || rate === null) return KINDS[kind];
  const unit = unitOf(contract.details.compensation);
  return `${unitsText(unitsWorked, unit)} at ${moneyText({ amount: rate, currency })}`;
}
