/** The bench's requests: the body of a draft, and the query for a peer over the same graph. */
export const DRAFT = {
  title: 'Design system, second half of the year',
  professionalEmail: 'mara@measured.example',
  description: 'Components, tokens and their documentation.',
  employmentType: 'contractor',
  contractType: 'contractor_payg',
  startDate: '2027-02-01',
  endDate: '2027-07-31',
  compensation: { type: 'hourly', currency: 'EUR', rate: 62.5, paymentFrequency: 'monthly' },
  invoicingSettings: { invoiceFrequency: 'monthly', paymentDueDays: 14 },
};

/** The fields that `/v1` shows of a timesheet, in their order. */
const TIMESHEET = `id contractId status periodStart periodEnd unitsWorked rate { amount currency }
  total { amount currency } paymentScheduledDate autoPayEnabled paymentId createdAt updatedAt version`;

export const GET_TIMESHEET = `query ($id: ID!) { timesheet(id: $id) { ${TIMESHEET} } }`;
export const LIST_TIMESHEETS = `{ timesheets(limit: 50) { nodes { ${TIMESHEET} } hasMore nextCursor } }`;
