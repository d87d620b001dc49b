import type { ServiceDefinition } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { applyContractChange } from './commands/apply-contract-change.js';
import { applyPaymentStatus } from './commands/apply-payment-status.js';
import { TimesheetMutations } from './graphql/timesheet-mutations.js';
import { ContractWork, TimesheetQueries } from './graphql/timesheet-queries.js';
import { timesheetsById } from './queries/timesheets-by-id.js';
import { timesheetsOfContracts } from './queries/timesheets-of-contracts.js';
import { reviewSchema } from './store/schema.js';

/** Submitted work and its review, with versions. */
export const reviewService: ServiceDefinition = {
  name: 'review',
  schema: reviewSchema,
  subgraph: ({ em, commands }) => {
    const byId = timesheetsById(em);
    return {
      resolvers: [
        new TimesheetQueries(em, byId),
        new TimesheetMutations(commands),
        new ContractWork(timesheetsOfContracts(em)),
      ],
      references: {
        Timesheet: ({ id }, context) => loadById(context, byId, id),
        // Whether there is such a contract, contracts says; here it is only what work belongs to.
        Contract: ({ id }) => Promise.resolve({ id }),
      },
    };
  },
  consumers: ({ apply }) => ({
    'contract.changed': (event) => apply(applyContractChange, event),
    'payment.created': (event) => apply(applyPaymentStatus, event),
    'payment.processing': (event) => apply(applyPaymentStatus, event),
    'payment.completed': (event) => apply(applyPaymentStatus, event),
    'payment.failed': (event) => apply(applyPaymentStatus, event),
    'payment.cancelled': (event) => apply(applyPaymentStatus, event),
  }),
};
