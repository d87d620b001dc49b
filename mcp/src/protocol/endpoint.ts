import type { ConnectionAdmission } from '@payroll/admission';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHandlerRequestOptions,
} from '@modelcontextprotocol/server';
import { errorForLog } from '@payroll/kernel';
import { modernConfirmation } from '../confirmation/modern-confirmation.js';
import type { ReviewStates } from '../confirmation/review-state.js';
import { createMcpServer, type McpServerParts } from './create-server.js';
import { LegacySessions, type LegacySessionsOptions } from './legacy-sessions.js';
import { reworded } from './own-words.js';
import { refusalOf, rpcError } from './rpc-error.js';

export interface EndpointOptions extends Omit<McpServerParts, 'confirmationFor'> {
  admission: ConnectionAdmission;
  states: ReviewStates;
  sessions?: Omit<LegacySessionsOptions, 'admission' | 'createServer'>;
}

/** `/mcp` for hosts of both eras of the protocol, each served as it expects. */
export class McpEndpoint implements AsyncDisposable {
  private readonly modern;
  private readonly legacy: LegacySessions;

  constructor({ admission, states, sessions, facade, log }: EndpointOptions) {
    const create = (confirmationFor: McpServerParts['confirmationFor']) =>
      createMcpServer({ facade, log, confirmationFor });
    this.modern = createMcpHandler(() => create((context) => modernConfirmation(states, context)), {
      legacy: 'reject',
      onerror: (error) => log.debug({ error: errorForLog(error) }, 'a message was refused'),
    });
    this.legacy = new LegacySessions({ ...sessions, admission, createServer: create });
  }

  readonly fetch = async (request: Request, options: McpHandlerRequestOptions = {}): Promise<Response> => {
    if (request.method !== 'POST') return await reworded(await this.legacy.fetch(request, options));
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return rpcError(415, refusalOf('INVALID_REQUEST', 'Content-Type must be application/json.'));
    }
    const parsedBody = parsed(await request.text());
    if (parsedBody === undefined) {
      return rpcError(400, refusalOf('INVALID_REQUEST', 'The body is not JSON.', -32_700));
    }
    const isLegacy = await isLegacyRequest(request, parsedBody);
    return await reworded(await (isLegacy ? this.legacy : this.modern).fetch(request, { ...options, parsedBody }));
  };

  /** Ends what hosts only listen to, so that the connections are free to be closed. */
  endStreams(): void {
    this.legacy.endStreams();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.legacy[Symbol.asyncDispose]();
    await this.modern.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
