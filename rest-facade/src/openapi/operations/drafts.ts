/** As little as a draft needs. */
export const shortDraft = { title: 'Backend development' };

/** What the application would ask for first. */
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
  creatorTerms: { exclusivity: 'fixed_term', exclusivityEndDate: '2027-03-31', ipOwnership: 'business' },
  creatorDeliverables: [
    {
      platform: 'youtube',
      format: 'video',
      brief: 'A ten-minute tour of the new studio.',
      dueDate: '2026-11-20',
      amount: 2500,
    },
  ],
};
