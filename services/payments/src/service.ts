import type { EntityManager } from '@mikro-orm/postgresql';
import { observeSetAside, startRunner, type ServiceDefinition, type ServiceParts } from '@payroll/service';
import { loadById, type SubgraphDefinition } from '@payroll/subgraph';
import { recordApprovedMilestone, recordApprovedTimesheet } from './commands/approved-work.js';
import { keepBusiness, keepContractWorker } from './commands/keep-parties.js';
import { InstructionMutations } from './graphql/instruction-mutations.js';
import { InstructionQueries } from './graphql/instruction-queries.js';
import { LedgerResolvers } from './graphql/ledger-resolvers.js';
import { PayeeResolvers } from './graphql/payee-resolvers.js';
import { PaymentMutations } from './graphql/payment-mutations.js';
import { PaymentQueries } from './graphql/payment-queries.js';
import { observePayments } from './observe-payments.js';
import { knowWorker, learnParties } from './payouts/ask-owners.js';
import { askProvider } from './payouts/ask-provider.js';
import { DUE_PAYMENTS, processDue } from './payouts/process-due.js';
import type { PayoutProvider } from './payouts/provider.js';
import { attemptsOfPayments } from './queries/attempts-of-payments.js';
import { deductionsOfPayments } from './queries/deductions-of-payments.js';
import { instructionsById } from './queries/instructions-by-id.js';
import { payeesById } from './queries/payees-by-id.js';
import { paymentsById } from './queries/payments-by-id.js';
import { paymentsSchema } from './store/schema.js';

export interface PaymentsOptions {
  provider: (em: EntityManager) => PayoutProvider;
}

/** Soon enough for "at once", and a look at an index that is empty most of the time. */
const PAYOUTS_EVERY_MS = 500;

/** Payments, made from approvals and from nothing else; payees, payouts and the ledger. */
export function paymentsService({ provider }: PaymentsOptions): ServiceDefinition<'payments'> {
  return {
    name: 'payments',
    schema: paymentsSchema,
    subgraph,
    consumers: ({ apply }) => ({
      'business.changed': (event) => apply(keepBusiness, event),
      'contract.changed': (event) => apply(keepContractWorker, event),
      'timesheet.approved': (event) => apply(recordApprovedTimesheet, event),
      'milestone.approved': (event) => apply(recordApprovedMilestone, event),
    }),
    background: (parts) => {
      const { em, commands, log } = parts;
      const due = { em, commands, log, learn: learnParties(parts) };
      const asking = { em, commands, log, provider: provider(em) };
      const every = { everyMs: PAYOUTS_EVERY_MS, log };
      // Two, so that a provider that is slow to answer holds up no payment that is due.
      return [
        startRunner({ ...every, name: DUE_PAYMENTS, work: () => processDue(due) }),
        startRunner({ ...every, name: 'payouts', work: () => askProvider(asking) }),
        observePayments(em),
        observeSetAside(em, DUE_PAYMENTS),
      ];
    },
  };
}

function subgraph(parts: ServiceParts): SubgraphDefinition {
  const { em, commands } = parts;
  const byId = paymentsById(em);
  const payees = payeesById(em);
  const fetchApproval = (paymentId: string, workspaceId: string): Promise<boolean> =>
    recordMissedApproval(parts, paymentId, workspaceId);
  const reads = { em, byId, deductions: deductionsOfPayments(em), attempts: attemptsOfPayments(em), fetchApproval };
  return {
    resolvers: [
      new PaymentQueries(reads),
      new PaymentMutations(commands),
      new InstructionMutations({ em, commands, learn: learnParties(parts) }),
      new InstructionQueries({ em, byId: instructionsById(em), payments: byId, payees }),
      new PayeeResolvers(em, commands, payees, knowWorker(parts)),
      new LedgerResolvers(em),
    ],
    references: {
      Payment: ({ id }, context) => loadById(context, byId, id),
      Payee: ({ id }, context) => loadById(context, payees, id),
    },
  };
}

/** Asks review for the approval that a payment is made of, whichever kind it is. */
async function recordMissedApproval({ learn }: ServiceParts, paymentId: string, workspaceId: string): Promise<boolean> {
  const commands = { 'timesheet.approved': recordApprovedTimesheet, 'milestone.approved': recordApprovedMilestone };
  return (await learn(commands, { workspaceId, aboutId: paymentId })) !== null;
}
