import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  isSpecType,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ConnectionAdmission } from '@payroll/admission';
import { callerOf, type Caller } from '../caller.js';
import { legacyConfirmation, type Confirmation } from '../confirmation/confirmation.js';
import { refusalOf } from './rpc-errors.js';

/** A message as HTTP brings it, of a caller who has passed admission. */
export interface HttpMessage {
  /** Without its body. The signal is aborted when the host disconnects. */
  request: Request;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  authInfo: AuthInfo;
}

interface SessionDependencies {
  admission: ConnectionAdmission;
  createServer: (confirmationFor: (context: ServerContext, server: McpServer) => Confirmation) => McpServer;
}

export interface SessionLimits {
  /** How long a person has for an answer. */
  confirmationTimeoutMs: number;
  /** An unused session ends after this; longer than a person has for an answer. */
  idleMs: number;
  /** Sessions of one connection; a new one ends the least recently used, and one with an open question last. */
  mostOfOne: number;
  /** Sessions in all; a new one ends the least recently used of the workspace that has most. */
  most: number;
}

interface Session {
  id: string;
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  owner: string;
  /** From the latest message: the host may have refreshed its token since the session began. */
  authInfo: AuthInfo;
  lastUsedAt: number;
  /** Questions that wait for a person's answer. */
  open: number;
}

const MINUTE_MS = 60_000;
const LIMITS: SessionLimits = {
  confirmationTimeoutMs: 5 * MINUTE_MS,
  idleMs: 30 * MINUTE_MS,
  mostOfOne: 20,
  most: 2000,
};

/**
 * Hosts of the protocol up to 2025-11-25 speak in sessions, in which the server can ask them something. A session lives
 * in one process and belongs to one connection. For other connections and in other processes it is 404, and the host
 * starts a new one.
 */
export class Sessions implements AsyncDisposable {
  private readonly sessions = new Map<string, Session>();
  private readonly limits: SessionLimits;
  private readonly sweeping: NodeJS.Timeout;

  constructor(
    private readonly parts: SessionDependencies,
    limits: Partial<SessionLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.sweeping = setInterval(() => void this.forgetIdle(), MINUTE_MS).unref();
  }

  async answer(message: HttpMessage): Promise<Response> {
    const { request, body, authInfo } = message;
    const id = request.headers.get('mcp-session-id');
    if (id === null && isInitializeRequest(body)) return await this.open(message);
    if (id === null && request.method === 'GET') {
      const refusal = refusalOf('INVALID_REQUEST', 'Only a session has a stream to read.');
      return Response.json(refusal, { status: 405, headers: { allow: 'POST' } });
    }
    if (id === null) {
      const refusal = refusalOf('INVALID_REQUEST', 'Mcp-Session-Id is missing: start with initialize.');
      return Response.json(refusal, { status: 400 });
    }
    const session = this.sessions.get(id);
    if (session?.owner !== authInfo.clientId) {
      const refusal = refusalOf('NOT_FOUND', 'There is no such session: initialize again.', -32_001);
      return Response.json(refusal, { status: 404 });
    }
    session.authInfo = authInfo;
    session.lastUsedAt = Date.now();
    return await this.bySdk(session, message);
  }

  /** Ends the streams that sessions listen to beside their calls. */
  endStreams(): void {
    for (const { transport } of this.sessions.values()) transport.closeStandaloneSSEStream();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.sweeping);
    await Promise.all([...this.sessions.values()].map((session) => this.close(session)));
  }

  private async open(message: HttpMessage): Promise<Response> {
    const { authInfo } = message;
    const owner = authInfo.clientId;
    await this.makeRoom(owner);
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => void this.sessions.delete(id),
    });
    const server = this.parts.createServer((context, mcp) => this.confirmationFor(session, context, mcp));
    const session: Session = { id, transport, server, owner, authInfo, lastUsedAt: Date.now(), open: 0 };
    await server.connect(transport);
    this.sessions.set(id, session);
    const response = await this.bySdk(session, message);
    if (response.status >= 400) await this.close(session);
    return response;
  }

  private async bySdk({ transport }: Session, { request, body, authInfo }: HttpMessage): Promise<Response> {
    const response = await transport.handleRequest(request, { authInfo, parsedBody: body });
    // A cancelled call gets no answer, for which the SDK would keep its stream open.
    const cancelled = isSpecType.CancelledNotification(body) ? body.params.requestId : undefined;
    if (cancelled !== undefined) setImmediate(() => transport.closeSSEStream(cancelled));
    return response;
  }

  private confirmationFor(session: Session, context: ServerContext, mcp: McpServer): Confirmation {
    // Old hosts declare them once, in `initialize`.
    // oxlint-disable-next-line typescript/no-deprecated
    const capabilities = mcp.server.getClientCapabilities();
    const { admission } = this.parts;
    const { confirmationTimeoutMs: timeoutMs } = this.limits;
    const readmit = (): Promise<Caller> => {
      const { token, extra } = session.authInfo;
      return admission.admit(token, { clientAddress: String(extra?.['clientAddress']) });
    };
    const confirmation = legacyConfirmation({ capabilities, timeoutMs, readmit }, context);
    return async (proposal) => {
      session.open += 1;
      try {
        return await confirmation(proposal);
      } finally {
        session.open -= 1;
      }
    };
  }

  private async makeRoom(owner: string): Promise<void> {
    const all = [...this.sessions.values()];
    const own = all.filter((session) => session.owner === owner);
    if (own.length >= this.limits.mostOfOne) return await this.closeOldest(own);
    if (all.length < this.limits.most) return;
    // So that no workspace can keep the assistants of others out.
    const workspaces = Map.groupBy(all, ({ authInfo }) => callerOf({ http: { authInfo } }).workspaceId);
    const [largest] = [...workspaces.values()].toSorted((one, other) => other.length - one.length);
    await this.closeOldest(largest!);
  }

  private async closeOldest(sessions: readonly Session[]): Promise<void> {
    const [oldest] = sessions.toSorted((one, other) => one.open - other.open || one.lastUsedAt - other.lastUsedAt);
    await this.close(oldest!);
  }

  private async forgetIdle(): Promise<void> {
    const before = Date.now() - this.limits.idleMs;
    const idle = [...this.sessions.values()].filter(({ lastUsedAt }) => lastUsedAt < before);
    await Promise.all(idle.map((session) => this.close(session)));
  }

  private async close({ id, server }: Session): Promise<void> {
    this.sessions.delete(id);
    await server.close();
  }
}
