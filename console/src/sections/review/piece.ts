import type { Visit } from '../../visit.js';
import { dayText, moneyText, periodText } from '../../words.js';
import { type Kind, type Milestone, readMilestone, readTimesheet, type Timesheet } from './operations.js';
import { KINDS, paidText } from './words.js';

/** A timesheet or milestone as its page shows it. */
export type Piece = Pick<Timesheet, 'id' | 'version' | 'contract' | 'payment' | 'paymentId' | 'reviews'> & {
  kind: Kind;
  status: (Timesheet | Milestone)['status'];
  title: string;
  /** What its version covers, in words: what a reviewer decides about. */
  facts: Readonly<Record<string, string>>;
  /** What an approval leads to. Approved is not paid. */
  consequence: (today: string) => string;
};

/** Null where there is none in this workspace. */
export async function readPiece({ ask }: Pick<Visit, 'ask'>, kind: Kind, id: string): Promise<Piece | null> {
  if (kind === 'timesheet') {
    const { timesheet } = await ask(readTimesheet, { id });
    return timesheet && ofTimesheet(timesheet);
  }
  const { milestone } = await ask(readMilestone, { id });
  return milestone && ofMilestone(milestone);
}

function ofTimesheet(timesheet: Timesheet): Piece {
  const { periodStart, periodEnd, unitsWorked, rate, total, paymentScheduledDate, autoPayEnabled } = timesheet;
  const period = periodText(periodStart, periodEnd);
  return {
    ...timesheet,
    ...{ kind: 'timesheet', title: `${KINDS.timesheet} ${period}` },
    consequence: (today) => `This creates the payment. ${paidText(timesheet, today)}`,
    facts: {
      Period: period,
      'Units worked': unitsWorked,
      Rate: `${moneyText(rate)} per unit`,
      Total: moneyText(total),
      'Payment due': dayText(paymentScheduledDate),
      'Paid automatically': autoPayEnabled ? 'Yes, when it is due' : 'No, an admin starts the payout',
    },
  };
}

function ofMilestone(milestone: Milestone): Piece {
  const { title, description, amount, dueDate } = milestone;
  return {
    ...milestone,
    ...{ kind: 'milestone', title },
    consequence: (today) =>
      `This creates the payment. ${paidText({ paymentScheduledDate: null, autoPayEnabled: true }, today)}`,
    facts: {
      Milestone: title,
      Description: description ?? 'None',
      Amount: moneyText(amount),
      'Agreed to be done by': dueDate === null ? 'No day agreed' : dayText(dueDate),
      Payment: 'At once, when it is approved',
    },
  };
}
