const domainOf = (service) => ({
  mutate: [`services/${service}/src/domain/**/*.ts`],
  tests: [`services/${service}/src/**/*.test.ts`, `services/${service}/test/**/*.test.ts`],
});

const packageOf = (name, tests = [`packages/${name}/src/**/*.test.ts`, `packages/${name}/test/**/*.test.ts`]) => ({
  mutate: [`packages/${name}/src/**/*.ts`],
  tests,
});

/** The code that is mutated, with the tests that have to detect it. */
export const groups = {
  kernel: packageOf('kernel'),
  workspaces: domainOf('workspaces'),
  contracts: domainOf('contracts'),
  review: domainOf('review'),
  payments: domainOf('payments'),
  store: packageOf('store'),
  admission: packageOf('admission', ['packages/admission/src/**/*.test.ts', 'services/workspaces/test/**/*.test.ts']),
  idempotency: {
    mutate: ['rest-facade/src/idempotency.ts'],
    tests: ['rest-facade/src/**/*.test.ts', 'rest-facade/test/**/*.test.ts'],
  },
};
