import { findingsCommand, readSettings, runMain, serveUntilStopped } from '@payroll/process';
import { databaseSettings, lookAtDatabase, migrateCommand } from '@payroll/store';
import { readConfig } from './config.js';
import { openApiDocument } from './openapi/document.js';
import { startFacade } from './serve.js';
import { facadeSchema } from './store/schema.js';

await runMain('rest-facade', process, {
  serve: {
    help: 'serves /v1 until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      await serveUntilStopped('rest-facade', config, (drain) => startFacade(config, drain));
    },
  },
  migrate: migrateCommand(facadeSchema),
  doctor: findingsCommand('says whether its database is as it should be (--json)', async (env) =>
    lookAtDatabase('rest-facade', facadeSchema, readSettings(env, databaseSettings)),
  ),
  openapi: {
    help: 'prints openapi.json',
    run: async () => {
      process.stdout.write(JSON.stringify(openApiDocument('/v1'), null, 2));
    },
  },
});
