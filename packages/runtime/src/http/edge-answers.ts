import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError, errorForLog, newId } from '@payroll/kernel';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.js';

export interface ErrorResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  type: string;
  body: string;
}

export interface AnswerOptions {
  log: Log;
  /** On every answer, beside those that each edge has. */
  headers?: Readonly<Record<string, string>>;
  /** Writes an error in this edge's format. `status`: HTTP's own code for it, such as 408 or 431. */
  refusal: (error: DomainError, requestId: string, status?: number) => ErrorResponse;
  /** Told of each refusal of a request. */
  refused?: (error: DomainError) => void;
  /** Asked before anything is said about a path that cannot be read. @throws DomainError to refuse it for that instead. */
  admitUnreadable?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

const NEUTRAL = 'Something went wrong on our side. The request id leads support to what happened.';

/** The HTTP status of connections that failed before there was a request. */
const SOCKET_STATUS: Readonly<Partial<Record<string, number>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers in the edge's form what Fastify and Node would answer in theirs. */
export class ErrorResponder {
  constructor(private readonly options: AnswerOptions) {}

  setHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
    reply.headers(this.headersFor(id));
  }

  /** Answers any failure, and logs what went wrong on this side of it. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply, status?: number): void {
    const error = leftBeforeBody(request)
      ? new DomainError('INVALID_REQUEST', 'The body did not arrive.')
      : toDomainError(thrown);
    const refusal = this.options.refusal(error, request.id, status ?? refusalOfFastify(thrown)?.statusCode);
    request.refusedAs = error.code;
    // Work that stops because its caller has left does not count as an outage.
    const isAbandoned = reply.raw.destroyed && error.code === 'SERVICE_UNAVAILABLE';
    if (!isAbandoned) this.options.refused?.(error);
    if (refusal.status >= 500 && !isAbandoned) {
      this.options.log.error({ requestId: request.id, error: errorForLog(thrown) }, 'request failed');
    }
    void reply
      .code(refusal.status)
      .headers(refusal.headers ?? {})
      .type(refusal.type)
      .send(refusal.body);
  }

  /** A path that cannot be decoded never meets a hook, so what the hooks do is done here. */
  async unreadablePath(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.setHeaders(request, reply);
    try {
      await this.options.admitUnreadable?.(request, reply);
      this.refuse(new DomainError('INVALID_REQUEST', 'The path could not be read.'), request, reply, 400);
    } catch (error) {
      this.refuse(error, request, reply);
    }
  }

  /** Answers by hand what Node could not parse as a request, such as headers that are too large. */
  onSocket({ code = '' }: Error & { code?: string }, socket: Duplex): void {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = newId();
    const unreadable = new DomainError('INVALID_REQUEST', 'The request could not be read.');
    const { status, headers, type, body } = this.options.refusal(unreadable, requestId, SOCKET_STATUS[code] ?? 400);
    const lines = Object.entries({
      ...headers,
      ...this.headersFor(requestId),
      'Content-Type': type,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }

  /** On every answer, failures included: nothing is cached, sniffed or asked for without TLS, and each has its id. */
  private headersFor(requestId: string): Record<string, string> {
    return {
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=31536000',
      // Of what is no page: a browser that shows it all the same loads and runs nothing in it.
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      ...this.options.headers,
    };
  }
}

/** Whether the caller has left before the whole body had arrived: the answer has no reader, and the failure is theirs. */
function leftBeforeBody({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/**
 * Maps any error to one of the closed codes. An unknown error becomes an internal error, and none of its details reach the
 * client.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError && thrown.code !== 'INTERNAL_ERROR') return thrown;
  const refused = refusalOfFastify(thrown);
  if (!refused || refused.statusCode >= 500) return new DomainError('INTERNAL_ERROR', NEUTRAL, { cause: thrown });
  return refused.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new DomainError('PAYLOAD_TOO_LARGE', 'The body may have at most 1 MiB.')
    : new DomainError('INVALID_REQUEST', `The request could not be read: ${refused.message}`, { cause: thrown });
}

/** Fastify's own refusals have a code of its own and a status; a status alone may be anyone's. */
function refusalOfFastify(error: unknown): (FastifyError & { statusCode: number }) | null {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return null;
  return String(error.code).startsWith('FST_ERR_') ? (error as FastifyError & { statusCode: number }) : null;
}
