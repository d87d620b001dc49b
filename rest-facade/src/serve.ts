import { AdmissionPeer, createAdmissionClient, parseApiKey, parseAssertion, whyNoApiKey } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import { createLog, openEdge, waitingFor, type Drain } from '@payroll/process';
import { observePool, openDatabase } from '@payroll/store';
import { createApp } from './app.js';
import type { FacadeConfig } from './config.js';
import { IdempotencyKeys } from './idempotency.js';
import { facadeSchema } from './store/schema.js';

/** The facade, listening until it is disposed of: it then finishes what it took, newest part first. */
export async function startFacade(config: FacadeConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('rest-facade', config.logLevel);
  const orm = starting.adopt(await openDatabase(facadeSchema, config.database), (open) => open.close());
  starting.use(observePool(orm.em));
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const gateway = starting.use(await Gateway.create({ supergraph: supergraph(), subgraphs: config.subgraphs }));
  const app = await createApp({
    ...config,
    admission,
    parseCredential: (authorization) => parseApiKey(authorization, config.deployment) ?? parseAssertion(authorization),
    whyNoCredential: (authorization) => whyNoApiKey(authorization, config.deployment),
    gateway,
    keys: new IdempotencyKeys(orm.em.fork()),
    log,
    // Not the services: only answers that need one that is down are 503 (ADR 0019).
    waitingFor: waitingFor(drain, { database: () => orm.isConnected() }),
  });
  starting.use(await openEdge(app, drain, config));
  return starting.move();
}
