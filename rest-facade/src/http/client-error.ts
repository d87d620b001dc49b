import type { Duplex } from 'node:stream';
import { DomainError, newId, unavailable } from '@payroll/kernel';
import { errorAnswer } from './error-answer.js';

/** Answers what never became a request, such as headers that are too large: by hand, on the socket. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const refusal =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? unavailable('The request took too long to arrive, so the service')
      : new DomainError('INVALID_REQUEST', 'The request could not be read.');
  const { status, headers, body } = errorAnswer(refusal, requestId);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000',
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${status === 503 ? 'Service Unavailable' : 'Bad Request'}\r\n${lines.join('')}\r\n${text}`,
  );
}
