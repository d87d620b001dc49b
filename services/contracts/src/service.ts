import { WORK_QUESTION, WORKER_PROFILE_QUESTION, WORKER_QUESTION } from '@payroll/events';
import { loadById, type ServiceDefinition, type ShownActs, toEverybody } from '@payroll/service';
import { keepBusiness } from './commands/keep-business.js';
import { AgreementResolver } from './graphql/agreement.js';
import { ContractLife, SandboxResolver } from './graphql/contract-life.js';
import { ContractResolver } from './graphql/contract-resolver.js';
import { MyContractResolver } from './graphql/my-contracts.js';
import { requireProfileReader, WorkerResolver } from './graphql/worker.js';
import { contractsSchema } from './store/schema.js';
import { answerWork } from './store/agreed-work.js';
import { answerWorker, answerWorkerProfile } from './store/workers.js';

/** The acts of the audit trail that members see, with the parts of a change that are shown. */
export const acts: ShownActs = {
  'contract.draft-created': toEverybody(),
  'contract.draft-updated': toEverybody('title', 'startDate', 'endDate', 'contractType'),
  'contract.worker-assigned': toEverybody(),
  'contract.submitted-for-verification': toEverybody(),
  'contract.verified': toEverybody(),
  'contract.returned-to-draft': toEverybody('reason'),
  'contract.signatures-requested': toEverybody(),
  'contract.signed': toEverybody('side'),
  'contract.changes-asked': toEverybody('reason'),
  'contract.activated': toEverybody(),
  'contract.terms-changed': toEverybody('rate', 'paymentDueDays', 'autoPayEnabled', 'autoApproveAfterDays'),
  'contract.terms-proposed': toEverybody('rate', 'paymentDueDays'),
  'contract.amendment-withdrawn': toEverybody(),
  'contract.offboarding-started': toEverybody('endDate', 'terminationDate'),
  'contract.completed': toEverybody(),
  'contract.cancelled': toEverybody('reason'),
  'contract.deleted': toEverybody(),
  'worker.registered': toEverybody('name'),
  'worker.updated': toEverybody('name'),
};

export const contractsService: ServiceDefinition<'contracts'> = {
  name: 'contracts',
  schema: contractsSchema,
  activity: { acts },
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
  consumers: { 'business.changed': keepBusiness },
  answers: ({ bus, em }) => {
    bus.answer(WORKER_QUESTION, 'contracts', (body) => answerWorker(em, body));
    bus.answer(WORK_QUESTION, 'contracts', (body) => answerWork(em, body));
    bus.answer(WORKER_PROFILE_QUESTION, 'contracts', (body) => answerWorkerProfile(em, body));
  },
};
