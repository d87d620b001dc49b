import { graphql, type FieldOf, type RowOf } from '../operations.js';

const ROW = `id contractId timesheetId status obstacle isDue waitsUntil grossAmount { amount currency }
  netAmount { amount currency } paidAmount { amount currency } scheduledDate completedAt createdAt`;

export const readMyPayments = graphql(`
  query myPayments($limit: Int!, $cursor: String) {
    myPayments(limit: $limit, cursor: $cursor) { nodes { ${ROW} } nextCursor }
    myContracts { id title }
  }`);

export type MyPaymentRow = RowOf<typeof readMyPayments, 'myPayments'>;

export const readMyPayment = graphql(`
  query myPayment($id: ID!) {
    myPayment(id: $id) { ${ROW} sentBy sentToEnding deductions { name amount { amount currency } } }
    myContracts { id title }
  }`);

export type MyPayment = FieldOf<typeof readMyPayment, 'myPayment'>;
