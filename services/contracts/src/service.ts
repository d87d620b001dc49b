import type { ServiceDefinition } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { ContractMutations } from './graphql/contract-mutations.js';
import { ContractQueries } from './graphql/contract-queries.js';
import { contractsById } from './queries/contracts-by-id.js';
import { contractsSchema } from './store/schema.js';

/** Workers and contracts: drafts and their whole life. */
export const contractsService: ServiceDefinition = {
  name: 'contracts',
  schema: contractsSchema,
  subgraph: ({ em, commands }) => {
    const byId = contractsById(em);
    return {
      resolvers: [new ContractQueries(em, byId), new ContractMutations(commands)],
      references: { Contract: ({ id }, context) => loadById(context, byId, id) },
    };
  },
  consumers: () => ({}),
};
