import { AdmissionPeer, createConnectionAdmission } from '@payroll/admission';
import { createLog, openEdge, waitingFor, type Drain } from '@payroll/runtime';
import { createApp } from './app.js';
import type { McpConfig } from './config.js';
import { ReviewStates } from './confirmation/review-state.js';
import { FacadeClient } from './facade-client.js';
import { McpEndpoint } from './protocol/endpoint.js';

export async function startMcp(config: McpConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('mcp', config.logLevel);
  const facade = starting.use(new FacadeClient(config.restUrl));
  const admission = createConnectionAdmission(starting.use(new AdmissionPeer(config.admission)));
  const states = new ReviewStates(config.confirmationKeys);
  const endpoint = starting.use(new McpEndpoint({ admission, states, facade, log, peopleUrl: config.authUrl }));
  const missing = waitingFor(drain, {});
  const app = await createApp({ ...config, admission, endpoint, log, waitingFor: missing });
  starting.use(await openEdge(app, drain, config));
  return starting.move();
}
