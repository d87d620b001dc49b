import { observeSetAside, type ServiceDefinition, type ServiceParts } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { applyAgreedMilestones } from './commands/apply-agreed-milestones.js';
import { applyContractChange } from './commands/apply-contract-change.js';
import { applyPaymentStatus } from './commands/apply-payment-status.js';
import { ContractWork } from './graphql/contract-work.js';
import { MilestoneMutations } from './graphql/milestone-mutations.js';
import { MilestoneQueries } from './graphql/milestone-queries.js';
import { TimesheetMutations } from './graphql/timesheet-mutations.js';
import { TimesheetQueries } from './graphql/timesheet-queries.js';
import { APPROVE_BY_RULES } from './queries/due-for-approval.js';
import { milestonesById } from './queries/milestones-by-id.js';
import type { FetchAgreed } from './queries/milestones-of-contract.js';
import { milestonesOfContracts } from './queries/milestones-of-contracts.js';
import { timesheetsById } from './queries/timesheets-by-id.js';
import { timesheetsOfContracts } from './queries/timesheets-of-contracts.js';
import { startApprovingByRules } from './runners/approve-by-rules.js';
import { reviewSchema } from './store/schema.js';

/** Submitted work and its review, with versions. */
export const reviewService: ServiceDefinition<'review'> = {
  name: 'review',
  schema: reviewSchema,
  subgraph: (parts) => {
    const { em, commands } = parts;
    const timesheets = timesheetsById(em);
    const milestones = milestonesById(em);
    return {
      resolvers: [
        new TimesheetQueries(em, timesheets),
        new TimesheetMutations(commands),
        new MilestoneQueries(em, milestones, fetchAgreedBy(parts)),
        new MilestoneMutations(commands),
        new ContractWork(timesheetsOfContracts(em), milestonesOfContracts(em)),
      ],
      references: {
        Timesheet: ({ id }, context) => loadById(context, timesheets, id),
        Milestone: ({ id }, context) => loadById(context, milestones, id),
        // Whether there is such a contract, contracts says; here it is only what work belongs to.
        Contract: ({ id }) => Promise.resolve({ id }),
      },
    };
  },
  consumers: ({ apply }) => ({
    'contract.changed': (event) => apply(applyContractChange, event),
    'contract.milestones-agreed': (event) => apply(applyAgreedMilestones, event),
    'payment.created': (event) => apply(applyPaymentStatus, event),
    'payment.processing': (event) => apply(applyPaymentStatus, event),
    'payment.completed': (event) => apply(applyPaymentStatus, event),
    'payment.failed': (event) => apply(applyPaymentStatus, event),
    'payment.cancelled': (event) => apply(applyPaymentStatus, event),
  }),
  background: (parts) => [startApprovingByRules(parts), observeSetAside(parts.em, APPROVE_BY_RULES)],
};

function fetchAgreedBy({ learn }: ServiceParts): FetchAgreed {
  return async (contractId, workspaceId) => {
    await learn({ 'contract.milestones-agreed': applyAgreedMilestones }, { workspaceId, aboutId: contractId });
  };
}
