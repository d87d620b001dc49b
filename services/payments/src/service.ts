import { answerQuestion, PAYMENTS_QUESTION, PAYOUT_CHANGE_QUESTION } from '@payroll/events';
import type { Deployment } from '@payroll/runtime';
import {
  loadById,
  observeDeferredWork,
  type ServiceDefinition,
  type VisibleActions,
  startBackgroundJob,
  type SubgraphDefinition,
  visibleToAdmins,
  visibleToAllRoles,
} from '@payroll/service';
import {
  recordApprovedMilestone,
  recordApprovedTimesheet,
  projectBusiness,
  projectContractWorker,
} from './commands/apply-events.js';
import { doubtDetails, type PayeeRules, stopChange } from './commands/payees.js';
import { InstructionResolver } from './graphql/instructions.js';
import { LedgerResolver } from './graphql/ledger.js';
import { MyPayeeResolver, MyPaymentResolver } from './graphql/my-payments.js';
import { PayeeResolver } from './graphql/payees.js';
import { PaymentResolver } from './graphql/payments.js';
import { SandboxResolver } from './graphql/sandbox.js';
import { UnclaimedOrderResolver } from './graphql/unclaimed-orders.js';
import { UpcomingResolver } from './graphql/upcoming.js';
import { observePayments } from './observe-payments.js';
import { pollProvider } from './payouts/poll-provider.js';
import { openCallbacks, type CallbackSettings } from './payouts/callbacks.js';
import { compareOrders } from './payouts/compare-orders.js';
import type { InstructDependencies } from './payouts/instruct.js';
import { DUE_PAYMENTS, processDue } from './payouts/process-due.js';
import type { PayoutProvider } from './payouts/provider.js';
import type { SandboxControl } from './payouts/http-provider.js';
import { answerMissing, answerPayoutChange } from './queries/answers.js';
import { paymentsSchema } from './store/schema.js';

/** Leaves out where money goes: an admin sees the destination, masked, on the page that changes it. */
export const visibleActions: VisibleActions = {
  'payment.created': visibleToAllRoles('gross'),
  'payment.processing': visibleToAllRoles('net'),
  'payment.completed': visibleToAllRoles('net'),
  'payment.failed': visibleToAllRoles('net', 'failureReason'),
  'payment.cancelled': visibleToAllRoles('net'),
  'payment.retried': visibleToAllRoles('net'),
  'payment.made-due': visibleToAllRoles('scheduledDate'),
  'deduction.added': visibleToAllRoles('name', 'amount'),
  'deduction.removed': visibleToAllRoles('name', 'amount'),
  'workspace.funded': visibleToAllRoles('amount'),
  'payee.registered': visibleToAdmins('payoutMethod'),
  'payee.changed': visibleToAdmins('payoutMethod'),
  'payee.verified': visibleToAdmins(),
  'payee.rejected': visibleToAdmins(),
  'payee.change-stopped': visibleToAdmins(),
  'payee.doubted': visibleToAdmins(),
  'calendar.moved': visibleToAllRoles('daysAhead'),
};

/** Soon enough for "at once"; each round reads an index that is mostly empty. */
const PAYOUTS_EVERY_MS = 500;

/** Payments, created from approvals only; payees, payouts and the ledger. */
export function paymentsService(options: {
  deployment: Deployment;
  provider: PayoutProvider;
  /** Null: the provider is only polled. */
  callbacks: CallbackSettings | null;
  /** Called in test deployments only. */
  control: SandboxControl;
  /** How long a change of payout details that were verified once is not paid to. */
  payeeHoldHours: number;
}): ServiceDefinition<'payments'> {
  const { callbacks, deployment } = options;
  return {
    name: 'payments',
    schema: paymentsSchema,
    activity: { visibleActions },
    subgraph: (parts) =>
      subgraph({ ...parts, provider: options.provider, holdHours: options.payeeHoldHours }, options.control),
    consumers: {
      'business.changed': projectBusiness,
      'contract.changed': projectContractWorker,
      'timesheet.approved': recordApprovedTimesheet,
      'milestone.approved': recordApprovedMilestone,
      'payout-change.stopped': stopChange(deployment),
      'worker-access.ended': doubtDetails({ deployment, holdHours: options.payeeHoldHours }),
    },
    requestHandlers: (parts) => {
      answerQuestion(parts.bus, PAYMENTS_QUESTION, (asked) => answerMissing(parts.em, asked));
      answerQuestion(parts.bus, PAYOUT_CHANGE_QUESTION, (asked) => answerPayoutChange(parts, asked));
    },
    ...(callbacks && {
      edge: (parts, drain, waitingFor) => openCallbacks({ ...parts, waitingFor }, drain, callbacks),
    }),
    background: (parts) => {
      const { em, log } = parts;
      const asking = { ...parts, provider: options.provider };
      const every = { everyMs: PAYOUTS_EVERY_MS, log };
      // Separate jobs, so that a slow provider does not delay due payments.
      return [
        startBackgroundJob({ ...every, name: DUE_PAYMENTS, work: (stopping) => processDue(parts, stopping) }),
        startBackgroundJob({ ...every, name: 'payouts', work: (stopping) => pollProvider(asking, stopping) }),
        startBackgroundJob({ ...every, name: 'compare-orders', work: (stopping) => compareOrders(asking, stopping) }),
        observePayments(em),
        observeDeferredWork(em, DUE_PAYMENTS),
      ];
    },
  };
}

function subgraph(parts: InstructDependencies & PayeeRules, control: SandboxControl): SubgraphDefinition {
  const payments = new PaymentResolver(parts);
  const payees = new PayeeResolver(parts);
  const instructions = new InstructionResolver(parts, payments.byId, payees.byId);
  return {
    resolvers: [
      payments,
      payees,
      instructions,
      new LedgerResolver(parts.em),
      new UnclaimedOrderResolver(parts),
      new UpcomingResolver(parts),
      new MyPayeeResolver(parts),
      new MyPaymentResolver(parts),
      new SandboxResolver(parts, control),
    ],
    references: {
      Payment: ({ id }, context) => loadById(context, payments.byId, id),
      Payee: ({ id }, context) => loadById(context, payees.byId, id),
    },
  };
}
