import type { ConsoleContext } from '../console-context.js';
import { graphql, type FieldOf, type RowOf } from '../operations.js';
import { dayText, moneyText, periodText, unitsText, type WordsFor } from '../words.js';
import { orUnread } from '../workspace-context.js';
import { isNothing, workText as paidWorkText } from '../sections/payments/words.js';

const ROW = `id contractId timesheetId milestoneId status obstacle isDue waitsUntil grossAmount { amount currency }
  netAmount { amount currency } paidAmount { amount currency } scheduledDate completedAt createdAt`;

export const readMyPayments = graphql(`
  query myPayments($limit: Int!, $cursor: String) {
    myPayments(limit: $limit, cursor: $cursor) { nodes { ${ROW} } nextCursor }
    myContracts { id title }
  }`);

/** Those that are not completed, failed or cancelled: far fewer than all. */
export const readMyOpenPayments = graphql(
  `query myOpenPayments { myPayments(isOpen: true, limit: 100) { nodes { ${ROW} } nextCursor } }`,
);

export type MyPaymentRow = RowOf<typeof readMyPayments, 'myPayments'>;

const readWork = graphql(`
  query workOfMyPayments($timesheets: [ID!]!, $milestones: [ID!]!) {
    myWork(timesheets: $timesheets, milestones: $milestones) {
      timesheets {
        id
        periodStart
        periodEnd
        unitsWorked
        rate {
          amount
          currency
        }
      }
      milestones {
        id
        title
      }
    }
  }
`);

type Work = FieldOf<typeof readWork, 'myWork'>;
type OfWork = Pick<MyPaymentRow, 'timesheetId' | 'milestoneId'>;

/** The work that payments are for; null while review is unavailable. */
export async function workOf(ctx: Pick<ConsoleContext, 'run'>, payments: readonly OfWork[]): Promise<Work | null> {
  const timesheets = payments.flatMap(({ timesheetId }) => timesheetId ?? []);
  const milestones = payments.flatMap(({ milestoneId }) => milestoneId ?? []);
  return (await orUnread(ctx.run(readWork, { timesheets, milestones })))?.myWork ?? null;
}

const timesheetOf = ({ timesheetId }: OfWork, work: Work | null) =>
  work?.timesheets.find(({ id }) => id === timesheetId);

/** `period` writes the two days of a timesheet. */
export function workText(payment: OfWork, work: Work | null, period = periodText): string {
  const milestone = work?.milestones.find(({ id }) => id === payment.milestoneId);
  return paidWorkText({ ...payment, timesheet: timesheetOf(payment, work), milestone }, period);
}

/** With the calculation of its amount. `unit`: of the contract, such as "hour". */
export function workInFull(payment: OfWork, work: Work | null, unit: string): string {
  const timesheet = timesheetOf(payment, work);
  if (timesheet === undefined) return workText(payment, work);
  const units = unitsText(timesheet.unitsWorked, unit);
  return `${workText(payment, work)}: ${units} at ${moneyText(timesheet.rate)}`;
}

export const readMyPayment = graphql(`
  query myPayment($id: ID!) {
    myPayment(id: $id) { ${ROW} sentBy sentToEnding deductions { name amount { amount currency } } }
    myContracts { id title }
  }`);

export type MyPayment = FieldOf<typeof readMyPayment, 'myPayment'>;

/** How far a payment is, in a sentence. Only a completed one has been paid. */
export function ownPaymentStatusText(payment: MyPaymentRow): string {
  const { status, obstacle, isDue, waitsUntil, scheduledDate } = payment;
  switch (status) {
    case 'pending':
      if (waitsUntil !== null) return 'This payment waits, because your payout details are on hold.';
      if (obstacle !== null) return 'This payment waits.';
      if (isDue || scheduledDate === null) return 'This payment is due and will be sent shortly.';
      return `This payment will be sent on ${dayText(scheduledDate)}.`;
    case 'processing':
      return 'This payment is with the payment provider. It has not arrived yet.';
    case 'completed':
      return paidText(payment);
    case 'failed':
      return 'This payment failed. You have not been paid.';
    default:
      return 'This payment was cancelled. You will not be paid by it.';
  }
}

/** The provider may have paid another amount than was ordered. */
function paidText({ netAmount, paidAmount }: MyPaymentRow): string {
  if (isNothing(netAmount)) return 'Deductions took all of it: there was nothing to pay.';
  if (paidAmount === null || moneyText(paidAmount) === moneyText(netAmount)) return 'You have been paid.';
  const both = `${moneyText(paidAmount)} instead of ${moneyText(netAmount)}`;
  return `The payment provider has paid ${both}. The difference is settled with you.`;
}

type Obstacle = NonNullable<MyPaymentRow['obstacle']>;

/** The next step, for a row of the list. */
export const OBSTACLES: WordsFor<'MyPaymentObstacle'> = {
  payee_missing: 'Needs your payout details',
  payee_rejected: 'Needs other payout details',
  payee_unverified: 'Your payout details are being verified',
  provider_declined: 'Check your payout details',
  business: 'The business has to act',
  finance: 'We are looking into it',
};

/** Whether the payout details are in the way. */
export const IS_OF_DETAILS: Readonly<Record<Obstacle, boolean>> = {
  payee_missing: true,
  payee_rejected: true,
  payee_unverified: true,
  provider_declined: true,
  business: false,
  finance: false,
};

/** The next step, and whose it is. */
export function nextInWords(obstacle: Obstacle, business: string, hasFailed: boolean): string {
  const again = hasFailed ? ` Then ${business} can pay it again.` : '';
  switch (obstacle) {
    case 'payee_missing':
      return `We do not know where to send your money. Enter your payout details, which our staff then verify.${again}`;
    case 'payee_rejected':
      return `Your payout details were not accepted. Others are needed.${again}`;
    case 'payee_unverified':
      return `Our staff verify your payout details with you before any money is sent there.${again}`;
    case 'provider_declined':
      return `The payment provider could not pay to your account. Check your payout details.${again}`;
    case 'business':
      return `${business} has to do something first. You need not do anything here; ask them when they will.`;
    case 'finance':
      return 'Our finance team has to look at this payment first. You need not do anything.';
  }
}
