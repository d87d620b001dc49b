import {
  loadById,
  observeDeferredWork,
  type ServiceDefinition,
  type VisibleActions,
  visibleToAllRoles,
} from '@payroll/service';
import { applyAgreedMilestones, applyContractChange, applyPaymentStatus } from './commands/apply-events.js';
import { ContractWork } from './graphql/contract-work.js';
import { MilestoneResolver } from './graphql/milestone-resolver.js';
import { ClientWorkResolver } from './graphql/entered-work.js';
import { MyWorkResolver } from './graphql/my-work.js';
import { QueueResolver } from './graphql/queue.js';
import { SandboxResolver } from './graphql/sandbox.js';
import { TimesheetResolver } from './graphql/timesheet-resolver.js';
import { observeApprovals } from './observe-approvals.js';
import { APPROVE_BY_RULES, deleteExpiredDrafts, startAutoApproval } from './runners.js';
import { reviewSchema } from './store/schema.js';

/** The acts of the audit trail that members see, with the parts of a change that are shown. */
export const visibleActions: VisibleActions = {
  'timesheet.submitted': visibleToAllRoles(),
  'timesheet.resubmitted': visibleToAllRoles(),
  'timesheet.terms-changed': visibleToAllRoles(),
  'timesheet.approved': visibleToAllRoles('total', 'currency'),
  'timesheet.rejected': visibleToAllRoles('reason'),
  'milestone.added': visibleToAllRoles('amount'),
  'milestone.updated': visibleToAllRoles('title', 'dueDate'),
  'milestone.submitted': visibleToAllRoles('amount', 'currency'),
  'milestone.resubmitted': visibleToAllRoles('amount', 'currency'),
  'milestone.approved': visibleToAllRoles(),
  'milestone.rejected': visibleToAllRoles('reason'),
};

export const reviewService: ServiceDefinition<'review'> = {
  name: 'review',
  schema: reviewSchema,
  activity: { visibleActions },
  subgraph: (parts) => {
    const timesheets = new TimesheetResolver(parts);
    const milestones = new MilestoneResolver(parts);
    return {
      resolvers: [
        timesheets,
        milestones,
        new MyWorkResolver(parts),
        new ClientWorkResolver(parts),
        new QueueResolver(parts),
        new ContractWork(parts.em),
        new SandboxResolver(parts),
      ],
      references: {
        Timesheet: ({ id }, context) => loadById(context, timesheets.byId, id),
        Milestone: ({ id }, context) => loadById(context, milestones.byId, id),
        // Not looked up: contracts knows whether the contract exists; here it is only a reference.
        Contract: ({ id }) => Promise.resolve({ id }),
      },
    };
  },
  consumers: {
    'contract.changed': applyContractChange,
    'contract.milestones-agreed': applyAgreedMilestones,
    'payment.retried': applyPaymentStatus,
    'payment.processing': applyPaymentStatus,
    'payment.completed': applyPaymentStatus,
    'payment.failed': applyPaymentStatus,
    'payment.cancelled': applyPaymentStatus,
  },
  background: (parts) => [
    startAutoApproval(parts),
    observeDeferredWork(parts.em, APPROVE_BY_RULES),
    observeApprovals(parts),
    deleteExpiredDrafts(parts),
  ],
};
