import { WORKER_QUESTION } from '@payroll/events';
import type { ServiceDefinition } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { ContractMutations } from './graphql/contract-mutations.js';
import { ContractQueries } from './graphql/contract-queries.js';
import { DraftMutations } from './graphql/draft-mutations.js';
import { requireProfileReader } from './graphql/require-profile-reader.js';
import { WorkerMutations } from './graphql/worker-mutations.js';
import { WorkerQueries } from './graphql/worker-queries.js';
import { answerWorker } from './queries/answer-worker.js';
import { contractDetailsById } from './queries/contract-details-by-id.js';
import { contractsById } from './queries/contracts-by-id.js';
import { workersById } from './queries/workers-by-id.js';
import { contractsSchema } from './store/schema.js';

/** Workers and contracts: drafts and their whole life. */
export const contractsService: ServiceDefinition<'contracts'> = {
  name: 'contracts',
  schema: contractsSchema,
  subgraph: ({ em, commands }) => {
    const [contracts, workers] = [contractsById(em), workersById(em)];
    return {
      resolvers: [
        new ContractQueries(em, contracts, contractDetailsById(em)),
        new WorkerQueries(em, workers),
        new DraftMutations(commands),
        new ContractMutations(commands),
        new WorkerMutations(commands),
      ],
      references: {
        Contract: ({ id }, context) => loadById(context, contracts, id),
        Worker: ({ id }, context) => {
          requireProfileReader(context.origin.actor);
          return loadById(context, workers, id);
        },
      },
    };
  },
  consumers: () => ({}),
  answers: ({ bus, em }) => bus.answer(WORKER_QUESTION, 'contracts', (body) => answerWorker(em, body)),
};
