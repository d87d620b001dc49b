import { answerQuestion, WORK_QUESTION, WORKER_PROFILE_QUESTION, WORKER_QUESTION } from '@payroll/events';
import { loadById, type ServiceDefinition, type VisibleActions, visibleToAllRoles } from '@payroll/service';
import { projectBusiness } from './commands/apply-events.js';
import { AgreementResolver } from './graphql/agreement.js';
import { ContractLife, SandboxResolver } from './graphql/contract-life.js';
import { ContractResolver } from './graphql/contract-resolver.js';
import { MyContractResolver } from './graphql/my-contracts.js';
import { requireProfileReader, WorkerResolver } from './graphql/workers.js';
import { contractsSchema } from './store/schema.js';
import { answerWork, answerWorker, answerWorkerProfile } from './queries/answers.js';

/** The acts of the audit trail that members see, with the parts of a change that are shown. */
export const visibleActions: VisibleActions = {
  'contract.draft-created': visibleToAllRoles(),
  'contract.draft-updated': visibleToAllRoles('title', 'startDate', 'endDate', 'contractType'),
  'contract.worker-assigned': visibleToAllRoles(),
  'contract.submitted-for-verification': visibleToAllRoles(),
  'contract.verified': visibleToAllRoles(),
  'contract.returned-to-draft': visibleToAllRoles('reason'),
  'contract.signatures-requested': visibleToAllRoles(),
  'contract.signed': visibleToAllRoles('side'),
  'contract.changes-asked': visibleToAllRoles('reason'),
  'contract.activated': visibleToAllRoles(),
  'contract.terms-changed': visibleToAllRoles(
    ...['rate', 'paymentDueDays', 'autoPayEnabled', 'timesheetApprovalRequired', 'autoApproveAfterDays'],
  ),
  'contract.terms-proposed': visibleToAllRoles('rate', 'paymentDueDays'),
  'contract.amendment-withdrawn': visibleToAllRoles(),
  'contract.offboarding-started': visibleToAllRoles('endDate', 'terminationDate'),
  'contract.completed': visibleToAllRoles(),
  'contract.cancelled': visibleToAllRoles('reason'),
  'contract.deleted': visibleToAllRoles(),
  'worker.registered': visibleToAllRoles('name'),
  'worker.updated': visibleToAllRoles('name'),
};

export const contractsService: ServiceDefinition<'contracts'> = {
  name: 'contracts',
  schema: contractsSchema,
  activity: { visibleActions },
  subgraph: (parts) => {
    const [contracts, workers] = [new ContractResolver(parts), new WorkerResolver(parts)];
    return {
      resolvers: [
        contracts,
        new AgreementResolver(parts),
        new ContractLife(parts),
        new MyContractResolver(parts),
        workers,
        new SandboxResolver(parts),
      ],
      references: {
        Contract: ({ id }, context) => loadById(context, contracts.byId, id),
        Worker: ({ id }, context) => {
          requireProfileReader(context.origin.actor);
          return loadById(context, workers.byId, id);
        },
      },
    };
  },
  consumers: { 'business.changed': projectBusiness },
  requestHandlers: ({ bus, em }) => {
    answerQuestion(bus, WORKER_QUESTION, (asked) => answerWorker(em, asked));
    answerQuestion(bus, WORK_QUESTION, (asked) => answerWork(em, asked));
    answerQuestion(bus, WORKER_PROFILE_QUESTION, (asked) => answerWorkerProfile(em, asked));
  },
};
