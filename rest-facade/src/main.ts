import {
  AdmissionPeer,
  createAdmissionClient,
  parseApiKey,
  parseAssertion,
  describeApiKeyProblem,
} from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import {
  createLog,
  deploymentName,
  checkCommand,
  openServer,
  readSettings,
  runMain,
  serveUntilStopped,
  createReadinessCheck,
  type Drain,
} from '@payroll/runtime';
import {
  databaseSettings,
  checkDatabase,
  lookForDatabase,
  migrateCommand,
  observePool,
  openDatabase,
} from '@payroll/store';
import { createApp } from './app.js';
import { readConfig, type FacadeConfig } from './config.js';
import { IdempotencyKeys } from './idempotency.js';
import { openApiDocument } from './openapi/document.js';
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
  doctor: checkCommand('says whether its database is as it should be', async (env) =>
    checkDatabase('rest-facade', facadeSchema, readSettings(env, databaseSettings)),
  ),
  openapi: {
    help: 'prints openapi.json',
    run: async () => {
      process.stdout.write(JSON.stringify(openApiDocument('/v1'), null, 2));
    },
  },
});

/** The facade, listening until it is disposed of: it then finishes what it took, newest part first. */
async function startFacade(config: FacadeConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('rest-facade', config.logLevel);
  const orm = starting.adopt(await openDatabase(facadeSchema, config.database), (open) => open.close());
  starting.use(observePool(orm.em));
  const deployment = deploymentName(config.deployment, config.cell);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs: config.subgraphs }));
  const app = await createApp({
    ...config,
    admission,
    parseCredential: (authorization) => parseApiKey(authorization, deployment) ?? parseAssertion(authorization),
    whyNoCredential: (authorization) => describeApiKeyProblem(authorization, deployment),
    gateway,
    keys: new IdempotencyKeys(orm.em.fork()),
    log,
    // Not the services: only answers that need one that is down are 503 (ADR 09).
    waitingFor: createReadinessCheck(drain, { database: () => lookForDatabase(orm.em.fork(), facadeSchema) }),
  });
  starting.use(await openServer(app, drain, config));
  return starting.move();
}
