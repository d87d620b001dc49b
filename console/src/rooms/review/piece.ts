import type { Visit } from '../../visit.js';
import { dayText, moneyText, periodText } from '../../words.js';
import { type Kind, type Milestone, readMilestone, readTimesheet, type Timesheet } from './operations.js';
import { KINDS } from './words.js';

/** A timesheet or milestone as its page shows it. */
export type Piece = Pick<Timesheet, 'id' | 'version' | 'status' | 'contract' | 'payment' | 'paymentId' | 'reviews'> & {
  kind: Kind;
  title: string;
  /** What its version covers, in words: what a reviewer decides about. */
  facts: Readonly<Record<string, string>>;
  /** What an approval leads to. Approved is not paid. */
  consequence: string;
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
    consequence: autoPayEnabled
      ? `This creates the payment. Its payout is attempted on the day it is due, ${dayText(paymentScheduledDate)}.`
      : 'This creates the payment. Somebody has to start its payout once it is due.',
    facts: {
      Period: period,
      'Units worked': unitsWorked,
      Rate: `${moneyText(rate)} per unit`,
      Total: moneyText(total),
      'Payment due': dayText(paymentScheduledDate),
      'Paid automatically': autoPayEnabled ? 'Yes, on that day' : 'No, somebody has to start the payout',
    },
  };
}

function ofMilestone(milestone: Milestone): Piece {
  const { title, description, amount, dueDate } = milestone;
  return {
    ...milestone,
    ...{ kind: 'milestone', title },
    consequence: 'This creates the payment, and its payout is attempted at once.',
    facts: {
      Milestone: title,
      Description: description ?? 'None',
      Amount: moneyText(amount),
      'Agreed to be done by': dueDate === null ? 'No day agreed' : dayText(dueDate),
      Payment: 'At once, when it is approved',
    },
  };
}

/** What is kept of a long text in a form: enough to see what it was. */
const LONGEST_SEEN = 500;

/** What a form carries of what its reader saw, so that a change can be shown beside it; believed for nothing else. */
export function seenOf({ facts }: Piece): string {
  return JSON.stringify(facts, (_name, value: unknown) => (typeof value === 'string' ? shortened(value) : value));
}

export interface Change {
  /** What has changed. */
  id: string;
  seen: string;
  now: string;
}

/** Null for what no form of ours has carried. */
export function changesSince(text: string, { facts }: Piece): Change[] | null {
  const seen = parse(text);
  if (seen === null) return null;
  return Object.entries(facts).flatMap(([id, now]) => {
    const before = seen[id];
    return typeof before === 'string' && before !== shortened(now) ? [{ id, seen: before, now: shortened(now) }] : [];
  });
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' ? (read as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_SEEN ? text : `${text.slice(0, LONGEST_SEEN)}… (${text.length} characters)`;
}
