import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isSpecType,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type JSONRPCRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ConnectionAdmission } from '@payroll/admission';
import type { Caller } from '../caller.js';
import { legacyConfirmation, type Confirmation } from '../confirmation/confirmation.js';
import type { DirectAnswers } from './direct-answers.js';
import { headerOf, webRequestOf, type Answer, type HttpMessage } from './message.js';
import { refusalOf, rpcError } from './own-words.js';

export interface LegacySessionsOptions {
  admission: ConnectionAdmission;
  direct: DirectAnswers;
  createServer: (confirmationFor: (context: ServerContext, server: McpServer) => Confirmation) => McpServer;
  /** How long a person has for an answer. */
  confirmationTimeoutMs?: number;
  /** An unused session ends after this; longer than a person has for an answer. */
  idleMs?: number;
  /** Sessions of one connection; a new one ends the least recently used. */
  mostOfOne?: number;
  /** Sessions in all; more are refused until one ends. */
  most?: number;
}

interface Session {
  id: string;
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  owner: string;
  /** Of the latest message: the host may have refreshed its token since the session began. */
  authInfo: AuthInfo;
  lastUsedAt: number;
  /** Calls that are answered directly, by their ids, for hosts that take them back. */
  direct: Map<JSONRPCRequest['id'], AbortController>;
}

/** What the body of a POST says. */
interface Posted {
  body: unknown;
  /** The body, where there is nothing unusual about it and its headers. */
  plain: JSONRPCRequest | null;
}

const MINUTE_MS = 60_000;

/** As the SDK sends them. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A message as the only event of its stream: its line breaks, if it has any, are between the words of JSON. */
function eventOf(text: string): string {
  return `event: message\ndata: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`;
}

/**
 * Hosts of the protocol up to 2025-11-25 speak in sessions, in which the server can ask them something. A session lives
 * in one process and belongs to one connection. For other connections and in other processes it is 404, and the host
 * starts a new one.
 */
export class LegacySessions implements AsyncDisposable {
  private readonly sessions = new Map<string, Session>();
  private readonly options: Required<LegacySessionsOptions>;
  private readonly sweeping: NodeJS.Timeout;

  constructor(options: LegacySessionsOptions) {
    const defaults = { confirmationTimeoutMs: 5 * MINUTE_MS, idleMs: 30 * MINUTE_MS, mostOfOne: 20, most: 2000 };
    this.options = { ...defaults, ...options };
    this.sweeping = setInterval(() => void this.forgetIdle(), MINUTE_MS).unref();
  }

  get size(): number {
    return this.sessions.size;
  }

  async answer(message: HttpMessage, posted?: Posted): Promise<Answer> {
    const { method, headers } = message.request;
    const id = headerOf(headers, 'mcp-session-id');
    if (id === undefined && isInitializeRequest(posted?.body)) return await this.open(message, posted);
    if (id === undefined && method === 'GET') {
      return rpcError(405, refusalOf('INVALID_REQUEST', 'Only a session has a stream to read.'), { allow: 'POST' });
    }
    if (id === undefined) {
      return rpcError(400, refusalOf('INVALID_REQUEST', 'Mcp-Session-Id is missing: start with initialize.'));
    }
    const session = this.sessions.get(id);
    if (session?.owner !== message.authInfo.clientId) {
      return rpcError(404, refusalOf('NOT_FOUND', 'There is no such session: initialize again.', -32_001));
    }
    return await this.use(session, message, posted);
  }

  /** Ends the streams that sessions listen to beside their calls. */
  endStreams(): void {
    for (const { transport } of this.sessions.values()) transport.closeStandaloneSSEStream();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.sweeping);
    await Promise.all([...this.sessions.values()].map((session) => this.close(session)));
  }

  private async open(message: HttpMessage, posted: Posted | undefined): Promise<Answer> {
    const { authInfo } = message;
    const owner = authInfo.clientId;
    await this.makeRoom(owner);
    if (this.sessions.size >= this.options.most) {
      const refusal = refusalOf('SERVICE_UNAVAILABLE', 'Too many sessions are open. Try again later.');
      return rpcError(503, refusal, { 'retry-after': '30' });
    }
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => void this.sessions.delete(id),
    });
    const server = this.options.createServer((context, mcp) => this.confirmationFor(session, context, mcp));
    const session: Session = {
      ...{ id, transport, server, owner, authInfo },
      lastUsedAt: Date.now(),
      direct: new Map(),
    };
    await server.connect(transport);
    this.sessions.set(id, session);
    const response = await this.bySdk(session, message, posted);
    if (response.status >= 400) await this.close(session);
    return response;
  }

  private async use(session: Session, message: HttpMessage, posted: Posted | undefined): Promise<Answer> {
    session.authInfo = message.authInfo;
    session.lastUsedAt = Date.now();
    const text = posted?.plain ? await this.directly(session, message, posted.plain) : null;
    if (text !== null) return { headers: { ...STREAM_HEADERS, 'mcp-session-id': session.id }, text };
    return await this.bySdk(session, message, posted);
  }

  private async directly(session: Session, message: HttpMessage, request: JSONRPCRequest): Promise<string | null> {
    session.direct.set(request.id, message.gone);
    const text = await this.options.direct.answer(request, 'legacy', message);
    session.direct.delete(request.id);
    return text && eventOf(text);
  }

  private async bySdk(
    { transport, direct }: Session,
    message: HttpMessage,
    posted: Posted | undefined,
  ): Promise<Response> {
    const { authInfo } = message;
    const parsedBody = posted?.body;
    const options = { authInfo, ...(parsedBody !== undefined && { parsedBody }) };
    const response = await transport.handleRequest(await webRequestOf(message, parsedBody), options);
    // A cancelled call gets no answer, for which the SDK would keep its stream open.
    const takenBack = isSpecType.CancelledNotification(parsedBody) ? parsedBody.params.requestId : undefined;
    if (takenBack !== undefined) {
      direct.get(takenBack)?.abort();
      setImmediate(() => transport.closeSSEStream(takenBack));
    }
    return response;
  }

  private confirmationFor(session: Session, context: ServerContext, mcp: McpServer): Confirmation {
    // Old hosts declare them once, in `initialize`.
    // oxlint-disable-next-line typescript/no-deprecated
    const capabilities = mcp.server.getClientCapabilities();
    const { admission, confirmationTimeoutMs: timeoutMs } = this.options;
    const readmit = (): Promise<Caller> => {
      const { token, extra } = session.authInfo;
      return admission.admit(token, { clientAddress: String(extra?.['clientAddress']) });
    };
    return legacyConfirmation({ capabilities, timeoutMs, readmit }, context);
  }

  private async makeRoom(owner: string): Promise<void> {
    const own = [...this.sessions.values()].filter((session) => session.owner === owner);
    if (own.length < this.options.mostOfOne) return;
    await this.close(own.reduce((oldest, each) => (each.lastUsedAt < oldest.lastUsedAt ? each : oldest)));
  }

  private async forgetIdle(): Promise<void> {
    const before = Date.now() - this.options.idleMs;
    const idle = [...this.sessions.values()].filter(({ lastUsedAt }) => lastUsedAt < before);
    await Promise.all(idle.map((session) => this.close(session)));
  }

  private async close({ id, server }: Session): Promise<void> {
    this.sessions.delete(id);
    await server.close();
  }
}
