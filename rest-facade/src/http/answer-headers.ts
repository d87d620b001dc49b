import type { FastifyReply } from 'fastify';

/** On every answer, failures included: nothing is cached, sniffed or asked for without TLS, and each has its id. */
export function setAnswerHeaders(reply: FastifyReply, requestId: string): void {
  reply.headers({
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000',
  });
}
