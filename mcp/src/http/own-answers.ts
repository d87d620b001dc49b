import type { Socket } from 'node:net';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { refusalOf } from '../protocol/rpc-error.js';

/** What Fastify would answer with bodies of its own is answered like all else. */
export function answerOurselves(app: FastifyInstance, log: Log, publicUrl: string): void {
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .send(refusalOf('NOT_FOUND', `There is nothing at this address. Assistants connect to ${publicUrl}`)),
  );
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode < 500) return refuseUnreadable(reply);
    log.error({ requestId: request.id, error: errorForLog(error) }, 'a message could not be handled');
    return reply.code(500).send(refusalOf('INTERNAL_ERROR', 'Something went wrong on our side.', -32_603));
  });
}

/** What never became a request that has a route. */
export function refuseUnreadable(reply: FastifyReply): FastifyReply {
  return reply.code(400).type('application/json').send(UNREADABLE);
}

const STATUS_LINES: Readonly<Partial<Record<string, string>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** What never became a request, such as headers that are too large: by hand, on the socket. */
export function answerClientError({ code = '' }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const text = JSON.stringify(UNREADABLE);
  const lines = [
    `HTTP/1.1 ${STATUS_LINES[code] ?? '400 Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

const UNREADABLE = refusalOf('INVALID_REQUEST', 'The request could not be read.');
