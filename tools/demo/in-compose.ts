import { readSettings, runMain, StartError } from '@payroll/runtime';
import { seedDemo } from './seed.js';
import type { StackEndpoints } from '../local/stack-file.js';

/** The folder in which docker-compose.yml keeps the demo's data, and the balancer's address for containers. */
const DIR = '/demo';
const REST = 'http://balancer:4000/v1';
const GRAPHQL = 'http://balancer:4001/graphql';
const PAGES = 'http://balancer:4002';

await runMain('demo', process, {
  seed: {
    help: 'loads the demo data unless it is there, and prints addresses and keys as npm start keeps them in stack.json',
    run: async (env) => {
      const http = ['http:', 'https:'];
      const { deployment, ...urls } = readSettings(env, (s) => ({
        deployment: s.choice('DEPLOYMENT', ['test', 'live']),
        rest: s.url('REST_URL', http),
        graphql: s.url('GRAPHQL_URL', http),
        mcp: s.url('MCP_URL', http),
        auth: s.url('APP_URL', http),
      }));
      if (deployment !== 'test') throw new StartError('DEPLOYMENT is live: demo data is for a test deployment');
      const environment = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));
      const facts = await seedDemo({
        dir: DIR,
        file: { rest: { url: REST }, graphql: { url: GRAPHQL }, app: { url: PAGES } },
        origin: new URL(urls.auth).origin,
        environmentOf: () => environment,
      });
      const { graphqlToken: token, financeTokens: finance, workspaces } = facts;
      const doors: StackEndpoints = {
        app: { url: urls.auth },
        rest: { url: urls.rest },
        graphql: { url: urls.graphql, token, finance },
        mcp: { url: urls.mcp },
        auth: { url: urls.auth },
        workspaces,
      };
      process.stdout.write(`${JSON.stringify(doors, null, 2)}\n`);
    },
  },
});
