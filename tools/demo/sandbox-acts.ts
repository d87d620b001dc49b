import { ask, type sendGraphql } from './graphql-client.js';

type Access = Parameters<typeof sendGraphql>[0];

/** An action of someone outside the workspace, and its options. */
interface Act {
  takes: readonly string[];
  /** @returns the subject in its new state */
  do: (access: Access, given: Readonly<Record<string, string>>) => Promise<object>;
}

const TIMESHEET = `mutation ($input: TimesheetInput!) {
  sandboxSubmitTimesheet(input: $input) { id status version total { amount currency } paymentScheduledDate } }`;
const MILESTONE = `mutation ($id: ID!) {
  sandboxSubmitMilestone(id: $id) { id status version amount { amount currency } } }`;
const READ_AGREEMENT = 'query ($id: ID!) { contract(id: $id) { revision agreement { digest } } }';
const SIGN = `mutation ($id: ID!, $expectedRevision: Int!, $digest: String!) {
  sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest) { id status } }`;
const FUND = `mutation ($amount: Decimal!, $currency: String!) {
  sandboxFund(amount: $amount, currency: $currency) { amount currency } }`;
const VERIFY = 'mutation { sandboxVerifyBusiness { id kybStatus } }';
const MAKE_DUE = 'mutation ($payment: ID!) { sandboxMakeDue(paymentId: $payment) { id status scheduledDate } }';
const DAYS_AHEAD = 'query { sandboxDaysAhead }';
/** Payments last, because it is read back. */
const ADVANCE = `mutation ($daysAhead: Int!) {
  reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead) payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead) }`;
const FINISH = `mutation ($payment: ID!, $outcome: SandboxOutcome!) {
  sandboxFinishPayout(paymentId: $payment, outcome: $outcome) { id status } }`;

const finish = (outcome: string): Act => ({
  takes: ['payment'],
  do: (access, { payment }) => ask(access, FINISH, { payment, outcome }),
});

export const ACTS: Readonly<Record<string, Act>> = {
  'submit-timesheet': {
    takes: ['contract', 'from', 'to', 'units'],
    do: (access, { contract: contractId, from: periodStart, to: periodEnd, units: unitsWorked }) =>
      ask(access, TIMESHEET, { input: { contractId, periodStart, periodEnd, unitsWorked } }),
  },
  'submit-milestone': { takes: ['milestone'], do: (access, { milestone: id }) => ask(access, MILESTONE, { id }) },
  sign: { takes: ['contract'], do: (access, { contract }) => sign(access, contract!) },
  fund: { takes: ['amount', 'currency'], do: (access, amount) => ask(access, FUND, amount) },
  'verify-business': { takes: [], do: (access) => ask(access, VERIFY) },
  'make-due': { takes: ['payment'], do: (access, payment) => ask(access, MAKE_DUE, payment) },
  advance: { takes: ['days'], do: (access, { days }) => advance(access, Number(days)) },
  settle: finish('settled'),
  decline: finish('declined'),
};

/** Signs the current text. */
async function sign(access: Access, id: string): Promise<object> {
  interface Read {
    revision: number;
    agreement: { digest: string };
  }
  const contract = await ask<Read | null>(access, READ_AGREEMENT, { id });
  if (contract === null) throw new Error(`there is no contract ${id} in this workspace`);
  return await ask(access, SIGN, { id, expectedRevision: contract.revision, digest: contract.agreement.digest });
}

/** Days in addition to the current ones. */
async function advance(access: Access, days: number): Promise<object> {
  if (!Number.isInteger(days) || days < 1) throw new Error('--days is a whole number above zero.');
  const daysAhead = days + (await ask<number>(access, DAYS_AHEAD));
  await ask(access, ADVANCE, { daysAhead });
  return { daysAhead };
}
