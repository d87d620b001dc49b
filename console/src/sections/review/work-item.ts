import { orUnread, type WorkspaceContext } from '../../workspace-context.js';
import { dayText, moneyText, periodText, unitOf, unitsText } from '../../words.js';
import {
  type Kind,
  type Milestone,
  readMilestone,
  readOrder,
  readPayment,
  readTimesheet,
  type Timesheet,
} from './operations.js';
import { KINDS, paidText } from './words.js';

/** A timesheet or milestone as its page shows it. */
export type WorkItem = Pick<Timesheet, 'id' | 'version' | 'contract' | 'paymentId' | 'reviews'> & {
  kind: Kind;
  status: (Timesheet | Milestone)['status'];
  /** Null before it is created, and while payments does not answer. */
  payment: { status: string } | null;
  title: string;
  /** The facts that its version covers, in words: the reviewer decides about these. */
  facts: Readonly<Record<string, string>>;
  /** When the payment would be due and whether it is paid automatically. An approval alone pays nothing. */
  consequence: (today: string) => string;
};

type Work = Omit<WorkItem, 'payment'>;

/** Null if it does not exist in this workspace. */
export async function readPiece(
  { run }: Pick<WorkspaceContext, 'run'>,
  kind: Kind,
  id: string,
): Promise<WorkItem | null> {
  const work =
    kind === 'timesheet'
      ? ofTimesheet((await run(readTimesheet, { id })).timesheet)
      : ofMilestone((await run(readMilestone, { id })).milestone);
  if (work === null) return null;
  const { paymentId } = work;
  const read = paymentId === null ? null : await orUnread(run(readPayment, { id: paymentId }));
  return { ...work, payment: read?.payment ?? null };
}

function ofTimesheet(timesheet: Timesheet | null): Work | null {
  if (timesheet === null) return null;
  const { periodStart, periodEnd, unitsWorked, rate, total, paymentScheduledDate, autoPayEnabled } = timesheet;
  const { entries, submittedBy } = timesheet;
  const period = periodText(periodStart, periodEnd);
  const unit = unitOf(timesheet.contract.details.compensation?.type);
  return {
    ...timesheet,
    kind: 'timesheet',
    title: `${KINDS.timesheet} ${period}`,
    consequence: (today) => `This creates the payment. ${paidText(timesheet, today)}`,
    facts: {
      Period: period,
      Work: unitsText(unitsWorked, unit),
      ...(entries && { 'By day': entries.map((entry) => entryText(entry, unit)).join('\n') }),
      Rate: `${moneyText(rate)} per ${unit}`,
      Total: moneyText(total),
      'Pay date': dayText(paymentScheduledDate),
      'Paid automatically': autoPayEnabled ? 'Yes, when it is due' : 'No, an admin starts the payout',
      ...(submittedBy && { 'Submitted by': submittedBy === 'worker' ? 'The worker' : 'The business' }),
    },
  };
}

function entryText({ day, units, note }: NonNullable<Timesheet['entries']>[number], unit: string): string {
  return `${dayText(day)}: ${unitsText(units, unit)}${note ? ` – ${note}` : ''}`;
}

function ofMilestone(milestone: Milestone | null): Work | null {
  if (milestone === null) return null;
  const { title, description, amount, dueDate, note } = milestone;
  return {
    ...milestone,
    kind: 'milestone',
    title,
    consequence: (today) =>
      `This creates the payment. ${paidText({ paymentScheduledDate: null, autoPayEnabled: true }, today)}`,
    facts: {
      Milestone: title,
      Description: description ?? 'None',
      ...(note && { 'Note of the worker': note }),
      Amount: moneyText(amount),
      'Agreed to be done by': dueDate === null ? 'No day agreed' : dayText(dueDate),
      Payment: 'At once, when it is approved',
    },
  };
}

export type Neighbour = { kind: Kind; id: string };

/** The position of a piece among the first 100 of the queue, and its neighbours. */
export interface Order {
  n: number;
  of: number;
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** Null for a piece that does not wait, or is not among the first 100. */
export async function orderOf({ run }: Pick<WorkspaceContext, 'run'>, { id, status }: WorkItem): Promise<Order | null> {
  if (status !== 'submitted') return null;
  const { nodes } = (await run(readOrder, {})).reviewQueue;
  const n = nodes.findIndex((each) => each.id === id);
  return n < 0 ? null : { n: n + 1, of: nodes.length, previous: nodes[n - 1] ?? null, next: nodes[n + 1] ?? null };
}
