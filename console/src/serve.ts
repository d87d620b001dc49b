import { AdmissionPeer, createAdmissionClient } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import { createLog, openEdge, waitingFor, type Drain } from '@payroll/runtime';
import { createApp } from './app.js';
import type { ConsoleConfig } from './config.js';

/** The application, listening until it is disposed of: it then finishes open requests and closes its parts, newest first. */
export async function startConsole(config: ConsoleConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('console', config.logLevel);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs: config.subgraphs }));
  const app = await createApp({
    ...config,
    ...{ gateway, log },
    admission,
    // Not the services: only pages that need one that is down are 503 (ADR 09).
    waitingFor: waitingFor(drain, {}),
  });
  starting.use(await openEdge(app, drain, config));
  return starting.move();
}
