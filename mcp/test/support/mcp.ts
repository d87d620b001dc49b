import type { AddressInfo } from 'node:net';
import type { ConnectionAdmission } from '@payroll/admission';
import { DomainError, type Scope } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { createApp } from '../../src/app.js';
import type { Caller } from '../../src/caller.js';
import { ReviewStates } from '../../src/confirmation/review-state.js';
import { FacadeClient } from '../../src/facade-client.js';
import { McpEndpoint, type EndpointOptions } from '../../src/protocol/endpoint.js';
import { startFakeFacade, type FakeFacade } from './fake-facade.js';

const KEY = Buffer.alloc(32, 7);
const EVERYTHING: readonly Scope[] = ['read', 'contracts:write', 'timesheets:write', 'milestones:write'];

export interface McpTestOptions {
  facade?: FakeFacade;
  sessions?: EndpointOptions['sessions'];
  keys?: readonly Buffer[];
  ttlSeconds?: number;
  deadlineMs?: number;
}

/** The MCP process's own parts on a free port, with the callers of the test. */
export async function startMcpForTest(options: McpTestOptions = {}) {
  const stack = new AsyncDisposableStack();
  const facade = options.facade ?? stack.use(await startFakeFacade());
  const callers = new Map<string, Caller>();
  const login = (token: string, more: Partial<Caller> = {}): string => {
    const defaults = {
      principalId: `principal of ${token}`,
      workspaceId: 'w-1',
      workspaceName: 'Acme',
      role: 'admin' as const,
      scopes: EVERYTHING,
    };
    callers.set(token, { ...defaults, assertion: `assertion-of-${token}`, ...more });
    return token;
  };
  const state = { admissionIsDown: false, integrationIsDisabled: false };
  const admission: ConnectionAdmission = {
    async admit(token) {
      if (state.admissionIsDown) throw new DomainError('SERVICE_UNAVAILABLE', 'down', { retryAfterSeconds: 1 });
      const caller = callers.get(token);
      if (!caller) throw new DomainError('INVALID_CREDENTIAL', 'unknown');
      if (state.integrationIsDisabled) throw new DomainError('INTEGRATION_DISABLED', 'Integrations are not enabled.');
      return caller;
    },
  };
  const log = createLog('mcp', 'silent');
  const client = stack.use(new FacadeClient(facade.url, options.deadlineMs));
  const states = new ReviewStates(options.keys ?? [KEY], options.ttlSeconds);
  const parts = { admission, states, facade: client, log, peopleUrl: 'http://127.0.0.1:4002' };
  const endpoint = stack.use(new McpEndpoint({ ...parts, ...(options.sessions && { sessions: options.sessions }) }));
  const app = await createApp({
    admission,
    endpoint,
    log,
    publicUrl: 'http://127.0.0.1:4003/mcp',
    authUrl: 'http://127.0.0.1:4002',
    guideUrl: 'http://127.0.0.1:4000/v1/docs/guides/connect-an-assistant',
    trustedProxies: [],
    allowedOrigins: ['assistant.example'],
    waitingFor: () => Promise.resolve([]),
  });
  stack.adopt(app, async (open) => {
    open.server.closeAllConnections();
    await open.close();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/mcp`,
    facade,
    login,
    logout: (token: string) => callers.delete(token),
    state,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export type McpForTest = Awaited<ReturnType<typeof startMcpForTest>>;
