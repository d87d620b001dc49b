import type { OperationName } from '@payroll/public-api';

// One story told by all examples: Northwind Studio works with Amira Haddad by the hour and with Jonas Lind by results.

const CONTRACT_ID = '019a3f5e-8b1c-7d24-9c6a-41f0b2d7e801';
const CREATOR_CONTRACT_ID = '019a3f61-02aa-7c93-8e15-6f2d9b40c702';
export const TIMESHEET_ID = '019a8c10-5d2e-7f61-b3a4-9e07c1d58203';
const MILESTONE_ID = '019a7b42-e6f0-7a18-a5d9-0c83f2b16404';
export const PAYMENT_ID = '019a8d77-1c09-7be2-8f40-d5a6937e0b05';
/** A key says what is intended: read in a log, it names the thing that was done. */
const INTENT_KEYS: Readonly<Partial<Record<OperationName, string>>> = {
  createContract: 'draft-2026-11-03-7f61b3a4',
  rejectTimesheet: 'reject-2026-11-03-7f61b3a4',
  rejectMilestone: 'reject-2026-11-03-7f61b3a4',
};

export const keySampleOf = (name: OperationName): string => INTENT_KEYS[name] ?? 'approve-2026-11-03-7f61b3a4';
const VERSION = 'kE3vXq0Zt7mYb2sRf9LwQA';
export const CURSOR =
  'WyJrQTlkMmZ4UTdaTWIxc1JlIiwiMjAyNi0xMS0wMlQwOToxNTozMC4wMDA0MTVaIiwiMDE5YThjMTAtNWQyZS03ZjYxLWIzYTQtOWUwN2MxZDU4MjAzIl0';

const eur = (amount: string) => ({ amount, currency: 'EUR' });

export const contract = {
  id: CONTRACT_ID,
  title: 'Backend development',
  employmentType: 'contractor',
  contractType: 'contractor_payg',
  status: 'active',
  worker: { id: '019a3f5e-8b40-7e52-8d0b-7a19c3f4e206', name: 'Amira Haddad' },
  startDate: '2026-10-01',
  endDate: null,
  createdAt: '2026-09-14T08:21:07.512038Z',
  updatedAt: '2026-09-29T16:40:55.100274Z',
  deletedAt: null,
};

export const draft = {
  ...contract,
  status: 'draft',
  worker: { id: null, name: null },
  updatedAt: contract.createdAt,
};

const terms = { exclusivity: 'fixed_term', exclusivityEndDate: '2027-03-31', ipOwnership: 'business' };

const video = {
  platform: 'youtube',
  format: 'video',
  brief: 'A ten-minute tour of the new studio.',
  dueDate: '2026-11-20',
};

export const creatorContract = {
  ...contract,
  id: CREATOR_CONTRACT_ID,
  title: 'Autumn campaign',
  contractType: 'contractor_creator',
  worker: { id: '019a3f61-02c7-7d80-9b3e-2c5f8a71d907', name: 'Jonas Lind' },
  endDate: '2026-12-31',
  creator: {
    terms: { ...terms, usageNote: 'May be shown on our own channels without limit of time.' },
    deliverables: [{ id: '019a3f61-02d9-7a4c-8c27-b1e6d0f39508', ...video, amount: eur('2500.00'), sortOrder: 0 }],
  },
};

export const timesheet = {
  id: TIMESHEET_ID,
  contractId: CONTRACT_ID,
  status: 'submitted',
  periodStart: '2026-10-01',
  periodEnd: '2026-10-31',
  unitsWorked: '152',
  rate: eur('85.00'),
  total: eur('12920.00'),
  paymentScheduledDate: '2026-11-14',
  autoPayEnabled: true,
  paymentId: null,
  createdAt: '2026-11-02T09:15:30.000415Z',
  updatedAt: '2026-11-02T09:15:30.000415Z',
  version: VERSION,
};

export const milestone = {
  id: MILESTONE_ID,
  contractId: CREATOR_CONTRACT_ID,
  title: 'Storyboard',
  description: 'Twelve frames, with the spoken text.',
  status: 'submitted',
  amount: eur('800.00'),
  dueDate: '2026-11-06',
  paymentDate: null,
  paymentId: null,
  createdAt: '2026-10-12T13:02:44.870911Z',
  updatedAt: '2026-11-05T17:30:12.334180Z',
  version: 'Zp8dJ1uNc5oWx4aTg0HyVQ',
};

export const payment = {
  id: PAYMENT_ID,
  contractId: CONTRACT_ID,
  timesheetId: TIMESHEET_ID,
  milestoneId: null,
  status: 'pending',
  grossAmount: eur('12920.00'),
  netAmount: eur('12920.00'),
  scheduledDate: '2026-11-14',
  processedAt: null,
  completedAt: null,
  failureReason: null,
  createdAt: '2026-11-03T10:04:18.220563Z',
  updatedAt: '2026-11-03T10:04:18.220563Z',
};

export const balances = {
  available: [eur('48250.00'), { amount: '1500.250000', currency: 'USDC' }],
  pending: [eur('12920.00')],
  asOf: '2026-11-03T10:05:00.417002Z',
};

export const business = {
  id: '019a3c00-41d5-7b6f-8a92-e3c7f0d4b109',
  name: 'Northwind Studio B.V.',
  country: 'NL',
  kybStatus: 'verified',
  createdAt: '2026-03-02T09:00:00.128900Z',
  updatedAt: '2026-04-11T14:27:36.906441Z',
};

/** As little as a draft needs. */
export const shortDraft = { title: 'Backend development' };

/** The fields that the application's form has first. */
export const usualDraft = {
  title: 'Backend development',
  professionalEmail: 'amira.haddad@example.com',
  description: 'Services behind the booking engine.',
  employmentType: 'contractor',
  contractType: 'contractor_payg',
  startDate: '2026-10-01',
  externalReference: 'hr-4711',
};

/** A draft with everything that is paid, and how. */
export const paidDraft = {
  ...usualDraft,
  noticePeriodDays: 30,
  department: 'engineering',
  seniority: 'lead',
  skills: ['TypeScript', 'PostgreSQL'],
  governingCountry: 'NL',
  compensation: { type: 'hourly', currency: 'EUR', rate: 85, paymentFrequency: 'monthly', effectiveDate: '2026-10-01' },
  invoicingSettings: {
    paymentMethod: 'bank_transfer',
    invoiceFrequency: 'monthly',
    paymentDueDays: 14,
    timesheetSubmitter: 'contractor',
    timesheetApprovalRequired: true,
    autoPayEnabled: true,
  },
};

export const employeeDraft = {
  title: 'Office manager',
  employmentType: 'employee',
  contractType: 'employment_at_will',
  countryOfEmployment: 'NL',
  startDate: '2027-01-01',
  employmentSubtype: 'full_time',
  compensation: { type: 'salary', currency: 'EUR', annualSalary: 54000, salaryUnit: 'per_year' },
  benefits: { bonusAmount: 1500, bonusFrequency: 'annual', timeOffDays: 27 },
};

export const milestoneDraft = {
  title: 'New website',
  contractType: 'contractor_milestone',
  compensation: { type: 'milestone', currency: 'EUR' },
  milestones: [
    { title: 'Design', amount: 3000, dueDate: '2026-11-30' },
    { title: 'Launch', description: 'On our own domain.', amount: 4500.5, dueDate: '2027-01-31' },
  ],
};

export const creatorDraft = {
  title: 'Autumn campaign',
  contractType: 'contractor_creator',
  compensation: { type: 'per_task', currency: 'EUR' },
  creatorTerms: terms,
  creatorDeliverables: [{ ...video, amount: 2500 }],
};
