import type { ServiceDefinition } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { recordApprovedTimesheet } from './commands/record-approved-timesheet.js';
import { PaymentQueries } from './graphql/payment-queries.js';
import { paymentsById } from './queries/payments-by-id.js';
import { paymentsSchema } from './store/schema.js';

/** Payments, made from approvals and from nothing else. */
export const paymentsService: ServiceDefinition = {
  name: 'payments',
  schema: paymentsSchema,
  subgraph: ({ em, apply, askEvent }) => {
    const byId = paymentsById(em);
    const fetchApproval = async (paymentId: string, workspaceId: string): Promise<boolean> => {
      const approval = await askEvent('timesheet.approved', { workspaceId, aboutId: paymentId });
      if (approval === null) return false;
      await apply(recordApprovedTimesheet, approval);
      return true;
    };
    return {
      resolvers: [new PaymentQueries(em, byId, fetchApproval)],
      references: { Payment: ({ id }, context) => loadById(context, byId, id) },
    };
  },
  consumers: ({ apply }) => ({
    'contract.changed': () => Promise.resolve(),
    'timesheet.approved': (event) => apply(recordApprovedTimesheet, event),
  }),
};
