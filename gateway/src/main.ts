import { runMain, serveUntilStopped } from '@payroll/runtime';
import { readConfig } from './config.js';
import { startGateway, turnOffApolloTelemetry } from './app.js';

await runMain('gateway', process, {
  serve: {
    help: 'serves the internal GraphQL endpoint until it is stopped',
    run: async (env) => {
      turnOffApolloTelemetry(env);
      const config = readConfig(env);
      await serveUntilStopped('gateway', config, (drain) => startGateway(config, drain));
    },
  },
});
