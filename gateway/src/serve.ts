import { AdmissionPeer, createAdmissionClient } from '@payroll/admission';
import { createLog, openEdge, waitingFor, type Drain } from '@payroll/runtime';
import { createApp } from './app.js';
import type { GatewayConfig } from './config.js';
import { visitOfStack } from './explorer.js';
import { subgraphSources } from './subgraph-source.js';
import { describeTeams, supergraph } from './supergraph.js';

/** The internal endpoint, listening until it is disposed of: it then finishes what it took, newest part first. */
export async function startGateway(config: GatewayConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('gateway', config.logLevel);
  const sources = subgraphSources(config.subgraphs);
  for (const source of Object.values(sources)) starting.use(source);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const app = await createApp({
    ...config,
    supergraph: describeTeams(supergraph()),
    sources,
    admission,
    log,
    waitingFor: waitingFor(drain, {}),
    ...(config.explorerStack !== null && { explorerVisit: () => visitOfStack(config.explorerStack!) }),
  });
  starting.use(await openEdge(app, drain, config));
  return starting.move();
}
