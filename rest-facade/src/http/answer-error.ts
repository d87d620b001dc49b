import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { metrics } from '@payroll/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asDomainError } from './as-domain-error.js';
import { errorAnswer } from './error-answer.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers any failure with the one body, and logs what went wrong on this side of it. */
export function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(asDomainError(error), request.id);
  metrics.errors.add({ code: body.error.code });
  if (status >= 500) log.error({ requestId: request.id, error: errorForLog(error) }, 'request failed');
  void reply.code(status).headers(headers).type(JSON_TYPE).send(JSON.stringify(body));
}
