import { WORK_QUESTION, WORKER_PROFILE_QUESTION, WORKER_QUESTION } from '@payroll/events';
import { loadById, type ServiceDefinition } from '@payroll/service';
import { acts } from './activity.js';
import { keepBusiness } from './commands/keep-business.js';
import { AgreementResolver } from './graphql/agreement.js';
import { ContractLife } from './graphql/contract-life.js';
import { ContractResolver } from './graphql/contract-resolver.js';
import { MyContractResolver } from './graphql/my-contracts.js';
import { SandboxResolver } from './graphql/sandbox.js';
import { requireProfileReader, WorkerResolver } from './graphql/worker.js';
import { contractsSchema } from './store/schema.js';
import { answerWork } from './store/agreed-work.js';
import { answerWorker, answerWorkerProfile } from './store/workers.js';

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
