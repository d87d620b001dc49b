import type { Currency } from './money.js';

/** A contract of the year and its events. Days are MM-DD. */
export interface Agreement {
  title: string;
  contractType:
    | 'employment_at_will'
    | 'contractor_fixed'
    | 'contractor_milestone'
    | 'contractor_payg'
    | 'contractor_creator';
  currency: Currency;
  work: 'weeks' | 'months' | 'milestones';
  /** Per unit of timesheets. Its last digit makes ties of odd units. */
  rate: string;
  invoicing: {
    paymentDueDays: number;
    autoPayEnabled?: false;
    autoApproveAfterDays?: number;
    timesheetApprovalRequired?: false;
  };
  destination: string;
  /** The day on which its worker's payout details are given; from the start if absent. */
  payeeFrom?: string;
  /** The day on which they are verified; from the start if absent. */
  verifiedFrom?: string;
  /** A new rate that is agreed while submitted work waits for review. */
  newRate?: { from: string; rate: string };
  /** The last work of the year is submitted just before. */
  ends?: { from: string; by: 'cancellation' | 'completion' };
}

const IBAN = 'DE89 3704 0044 0532 0130 00';

/** Every contract type, every way of being paid, four currencies. Kuwaiti dinars are funded only in April. */
export const AGREEMENTS: readonly Agreement[] = [
  {
    ...{ title: 'Engineering', contractType: 'contractor_payg', currency: 'EUR', work: 'weeks', rate: '85.555' },
    ...{ invoicing: { paymentDueDays: 14 }, destination: IBAN, newRate: { from: '06-20', rate: '91.125' } },
  },
  {
    ...{ title: 'Support', contractType: 'contractor_payg', currency: 'USD', work: 'weeks', rate: '47.125' },
    ...{ invoicing: { paymentDueDays: 7, autoApproveAfterDays: 5 }, destination: 'sandbox:times-out' },
  },
  {
    ...{ title: 'Office', contractType: 'employment_at_will', currency: 'JPY', work: 'months', rate: '2875.5' },
    ...{ invoicing: { paymentDueDays: 0, timesheetApprovalRequired: false }, destination: 'sandbox:answer-lost' },
  },
  {
    ...{ title: 'Accounting', contractType: 'contractor_fixed', currency: 'KWD', work: 'months', rate: '312.5125' },
    ...{ invoicing: { paymentDueDays: 10 }, destination: 'sandbox:declines-once' },
    newRate: { from: '07-01', rate: '330.0015' },
  },
  {
    ...{ title: 'Mobile app', contractType: 'contractor_milestone', currency: 'EUR', work: 'milestones', rate: '0' },
    ...{ invoicing: { paymentDueDays: 0 }, destination: 'sandbox:order-lost' },
  },
  {
    ...{ title: 'Videos', contractType: 'contractor_creator', currency: 'USD', work: 'milestones', rate: '0' },
    ...{ invoicing: { paymentDueDays: 0 }, destination: 'sandbox:settles-later', verifiedFrom: '06-01' },
    ends: { from: '09-15', by: 'cancellation' },
  },
  {
    ...{ title: 'Translation', contractType: 'contractor_payg', currency: 'KWD', work: 'weeks', rate: '7.0005' },
    ...{ invoicing: { paymentDueDays: 21 }, destination: 'sandbox:settles-later' },
    ends: { from: '07-20', by: 'cancellation' },
  },
  {
    ...{ title: 'Workshops', contractType: 'contractor_fixed', currency: 'EUR', work: 'months', rate: '120.333333' },
    ...{ invoicing: { paymentDueDays: 30, autoPayEnabled: false }, destination: IBAN, payeeFrom: '09-01' },
  },
  {
    ...{ title: 'Interpreting', contractType: 'contractor_payg', currency: 'USD', work: 'months', rate: '61.005' },
    ...{ invoicing: { paymentDueDays: 7 }, destination: 'sandbox:declines' },
    ends: { from: '04-30', by: 'completion' },
  },
  {
    ...{ title: 'Data entry', contractType: 'employment_at_will', currency: 'JPY', work: 'months', rate: '1999.25' },
    ...{ invoicing: { paymentDueDays: 45 }, destination: IBAN, ends: { from: '10-31', by: 'completion' } },
  },
];

/** Amounts of milestones, down to the smallest unit: a further digit would be refused. */
export const MILESTONE_AMOUNTS = ['1250', '980.5', '333.34', '1000.01', '75.25', '2400.9', '610', '0.01'] as const;

/** Milestones of the draft; the later ones are added month by month. */
const AGREED_AT_FIRST = 3;

export function draftOf(agreement: Agreement, year: number): object {
  const { title, contractType, currency, rate, invoicing } = agreement;
  const milestones = MILESTONE_AMOUNTS.slice(0, AGREED_AT_FIRST).map((amount, n) => ({
    title: `Stage ${n}`,
    amount,
    sortOrder: n,
  }));
  const byMilestones = { compensation: { type: 'milestone', currency }, milestones };
  const byRate = { compensation: { type: 'hourly', currency, rate } };
  return {
    ...{ title, contractType, startDate: `${year}-01-01`, invoicingSettings: invoicing },
    ...(agreement.work === 'milestones' ? byMilestones : byRate),
    ...(contractType === 'employment_at_will' && { countryOfEmployment: 'JP' }),
    ...(contractType === 'contractor_creator' && {
      creatorTerms: { exclusivity: 'none', ipOwnership: 'business' },
      creatorDeliverables: [{ platform: 'youtube', format: 'video', brief: 'A tour', amount: '900' }],
    }),
  };
}
