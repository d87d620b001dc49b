import { createMcpHandler, isJsonContentType, isJSONRPCRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import type { ConnectionAdmission } from '@payroll/admission';
import { errorForLog, type DomainError } from '@payroll/kernel';
import { modernConfirmation } from '../confirmation/confirmation.js';
import type { ReviewStates } from '../confirmation/review-state.js';
import { ToolError } from '../tools/tool-error.js';
import { createMcpServer, type McpServerDependencies } from './mcp-server.js';
import { refusalOf, normalizeErrorResponse } from './rpc-errors.js';
import { Sessions, type HttpMessage, type SessionLimits } from './sessions.js';

export interface EndpointOptions extends Omit<McpServerDependencies, 'confirmationFor'> {
  admission: ConnectionAdmission;
  states: ReviewStates;
  sessions?: Partial<SessionLimits>;
}

/** `/mcp` for hosts of both eras of the protocol. */
export class McpEndpoint implements AsyncDisposable {
  private readonly modern;
  private readonly sessions: Sessions;

  constructor({ admission, states, sessions, facade, log, peopleUrl }: EndpointOptions) {
    const createServer = (confirmationFor: McpServerDependencies['confirmationFor']) =>
      createMcpServer({ facade, log, peopleUrl, confirmationFor });
    this.modern = createMcpHandler(() => createServer((context) => modernConfirmation(states, context)), {
      legacy: 'reject',
      onerror: (error) => log.debug({ error: errorForLog(error) }, 'a message was refused'),
    });
    this.sessions = new Sessions({ admission, createServer }, sessions);
  }

  async answer(message: HttpMessage): Promise<Response> {
    const { request, body, authInfo } = message;
    if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'))) {
      return Response.json(refusalOf('INVALID_REQUEST', 'Content-Type must be application/json.'), { status: 415 });
    }
    if (request.method === 'POST' && body === undefined) {
      return Response.json(refusalOf('INVALID_REQUEST', 'The body is not JSON.', -32_700), { status: 400 });
    }
    if (await isLegacyRequest(request, body)) return await normalizeErrorResponse(await this.sessions.answer(message));
    const response = await this.modern.fetch(request, { authInfo, parsedBody: body });
    return await normalizeErrorResponse(response, isJSONRPCRequest(body) ? body.method : undefined);
  }

  /** Ends the streams that hosts only listen to, so that their connections can be closed. */
  endStreams(): void {
    this.sessions.endStreams();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sessions[Symbol.asyncDispose]();
    await this.modern.close();
  }
}

/**
 * The answer to a known caller whom admission refused. A call of a tool fails as tools do, so that the model learns why. It is
 * written here, in a form that hosts of both eras read, because admission has not said whose session may be used. The model
 * reads nothing else.
 */
export function refuse(error: DomainError, body: unknown): Response {
  if (!isJSONRPCRequest(body) || body.method !== 'tools/call') {
    return Response.json(refusalOf(error.code, error.message, -32_001), { status: 403 });
  }
  const result = { ...ToolError.from(error).toResult(), resultType: 'complete' };
  return Response.json({ jsonrpc: '2.0', id: body.id, result });
}
