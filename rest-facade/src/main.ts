import { runMain, untilStopped } from '@payroll/process';
import { readConfig } from './config.js';
import { facadeSchema } from './store/schema.js';

await runMain('rest-facade', process, {
  serve: {
    help: 'serves /v1 until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      const { startFacade } = await import('./serve.js');
      await using _running = await startFacade(config);
      await untilStopped();
    },
  },
  migrate: {
    help: 'brings the tables up to date, with the owner in DATABASE_URL (--check, --create [name])',
    run: async (env, args) => {
      // Loaded here only: the package of the services brings a GraphQL server, which serving /v1 does without.
      const { migrateCommand } = await import('@payroll/service');
      await migrateCommand(facadeSchema).run(env, args);
    },
  },
});
