export const ID = '018f4e5c-7a3b-7c1d-9e2f-0123456789ab';

const times = { createdAt: '2026-01-31T09:00:00.000001Z', updatedAt: '2026-01-31T09:00:00.000002Z' };

export const summary = {
  id: ID,
  title: 'A contract',
  employmentType: 'contractor',
  contractType: 'contractor_fixed',
  status: 'draft',
  worker: { id: null, name: null },
  startDate: null,
  endDate: null,
  ...times,
  deletedAt: null,
};

export const detail = {
  ...summary,
  creator: {
    terms: { exclusivity: 'fixed_term', exclusivityEndDate: '2026-12-31', ipOwnership: 'creator', usageNote: null },
    deliverables: [
      {
        id: ID,
        platform: 'youtube',
        format: 'video',
        brief: 'A film',
        dueDate: null,
        amount: { amount: '12.50', currency: 'EUR' },
        sortOrder: 0,
      },
    ],
  },
};

export const timesheet = {
  id: ID,
  contractId: ID,
  status: 'submitted',
  periodStart: '2026-01-01',
  periodEnd: '2026-01-31',
  unitsWorked: '160',
  rate: { amount: '85.50', currency: 'EUR' },
  total: { amount: '13680.00', currency: 'EUR' },
  paymentScheduledDate: '2026-02-28',
  autoPayEnabled: true,
  paymentId: null,
  ...times,
  version: 'v1',
};

export const milestone = {
  id: ID,
  contractId: ID,
  title: 'Design approved',
  description: null,
  status: 'submitted',
  amount: { amount: '2500.00', currency: 'EUR' },
  dueDate: '2026-02-28',
  paymentDate: null,
  paymentId: null,
  ...times,
  version: 'v1',
};

export const balances = {
  available: [
    { amount: '125000.00', currency: 'EUR' },
    { amount: '9.123456', currency: 'USDC' },
  ],
  pending: [{ amount: '13680.00', currency: 'EUR' }],
  asOf: times.updatedAt,
};

export const payment = {
  id: ID,
  contractId: ID,
  timesheetId: ID,
  milestoneId: null,
  status: 'pending',
  grossAmount: { amount: '13680.00', currency: 'EUR' },
  netAmount: { amount: '13680.00', currency: 'EUR' },
  scheduledDate: '2026-02-28',
  processedAt: null,
  completedAt: null,
  failureReason: null,
  ...times,
};

export const business = { id: ID, name: 'A business', country: 'NL', kybStatus: 'verified', ...times };
