import type { ConnectionAdmission } from '@payroll/admission';
import { createMcpHandler, isJsonContentType } from '@modelcontextprotocol/server';
import { errorForLog, type DomainError } from '@payroll/kernel';
import { modernConfirmation } from '../confirmation/confirmation.js';
import type { ReviewStates } from '../confirmation/review-state.js';
import { parsed } from '../json.js';
import { DirectAnswers, failedCall } from './direct-answers.js';
import { LegacySessions, type LegacySessionsOptions } from './legacy-sessions.js';
import { ToolError } from '../tools/tool-error.js';
import { createMcpServer, type McpServerParts } from './mcp-server.js';
import { headerOf, webRequestOf, type Answer, type HttpMessage } from './message.js';
import { refusalOf, reworded, rpcError } from './own-words.js';
import { routeOf } from './route.js';

export interface EndpointOptions extends Omit<McpServerParts, 'confirmationFor'> {
  admission: ConnectionAdmission;
  states: ReviewStates;
  sessions?: Omit<LegacySessionsOptions, 'admission' | 'createServer' | 'direct'>;
}

const NOTHING = { era: 'modern', plain: null } as const;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** `/mcp` for hosts of both eras of the protocol. */
export class McpEndpoint implements AsyncDisposable {
  private readonly modern;
  private readonly legacy: LegacySessions;
  private readonly direct: DirectAnswers;

  constructor({ admission, states, sessions, facade, log, peopleUrl }: EndpointOptions) {
    const createServer = (confirmationFor: McpServerParts['confirmationFor']) =>
      createMcpServer({ facade, log, peopleUrl, confirmationFor });
    this.modern = createMcpHandler(() => createServer((context) => modernConfirmation(states, context)), {
      legacy: 'reject',
      onerror: (error) => log.debug({ error: errorForLog(error) }, 'a message was refused'),
    });
    this.direct = new DirectAnswers({ facade, log });
    this.legacy = new LegacySessions({ ...sessions, admission, createServer, direct: this.direct });
  }

  async answer(message: HttpMessage): Promise<Answer> {
    const { method, headers } = message.request;
    if (method !== 'POST') return await inOurWords(this.legacy.answer(message));
    if (!isJsonContentType(headerOf(headers, 'content-type'))) {
      return rpcError(415, refusalOf('INVALID_REQUEST', 'Content-Type must be application/json.'));
    }
    const body = parsed(message.text);
    if (body === undefined) {
      return rpcError(400, refusalOf('INVALID_REQUEST', 'The body is not JSON.', -32_700));
    }
    const { era, plain } = routeOf(headers, body);
    if (era === 'legacy') return await inOurWords(this.legacy.answer(message, { body, plain }));
    const text = plain && (await this.direct.answer(plain, era, message));
    return text === null ? await inOurWords(this.bySdk(message, body)) : { headers: JSON_HEADERS, text };
  }

  /** A call of a tool fails as tools do, so that the model is told why; nothing else here is for the model. */
  refuse(error: DomainError, { request, text }: Pick<HttpMessage, 'request' | 'text'>): Answer {
    const body = request.method === 'POST' ? parsed(text) : undefined;
    const { era, plain } = body === undefined ? NOTHING : routeOf(request.headers, body);
    if (plain?.method !== 'tools/call') return rpcError(403, refusalOf(error.code, error.message, -32_001));
    return { headers: JSON_HEADERS, text: failedCall(plain, era, ToolError.from(error)) };
  }

  private async bySdk(message: HttpMessage, parsedBody: unknown): Promise<Response> {
    const { authInfo } = message;
    return await this.modern.fetch(await webRequestOf(message, parsedBody), { authInfo, parsedBody });
  }

  /** Ends the streams that hosts only listen to, so that their connections can be closed. */
  endStreams(): void {
    this.legacy.endStreams();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.legacy[Symbol.asyncDispose]();
    await this.modern.close();
  }
}

/** The SDK's refusals too. */
async function inOurWords(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  return answer instanceof Response ? await reworded(answer) : answer;
}
