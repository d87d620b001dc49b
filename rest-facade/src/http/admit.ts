import type { AdmissionQuestion } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppDependencies } from './dependencies.js';
import { rateLimitHeaders } from './rate-limit-headers.js';

type Admission = Pick<AppDependencies, 'admission' | 'parseCredential' | 'whyNoCredential'>;

/**
 * Asks who this is and whether it may, before anything of the request but its line and headers is looked at. Also about
 * paths that do not exist: what there is to find is only for those who are let in.
 * @throws DomainError what admission refused it for.
 */
export async function admit(
  { admission, parseCredential, whyNoCredential }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const isGone = (): boolean => reply.raw.destroyed;
  const question = questionOf(parseCredential, request);
  const answer = await request.deadline.race(admission.ask(question, isGone));
  reply.headers(rateLimitHeaders(answer.rateLimits));
  if (!answer.admitted) {
    const { code, retryAfterSeconds } = answer;
    const isUnreadable = code === 'INVALID_CREDENTIAL' && question.credential === null;
    const message = isUnreadable ? whyNoCredential(request.headers.authorization) : answer.message;
    throw new DomainError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
  request.admitted = answer;
}

function questionOf(parseCredential: Admission['parseCredential'], request: FastifyRequest): AdmissionQuestion {
  // Without a route there is no operation, and no scope to need.
  const operation = request.is404 ? undefined : request.routeOptions.config.operation;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return {
    credential: parseCredential(request.headers.authorization),
    via: 'rest',
    requestId: request.id,
    clientAddress: request.ip,
    limit: operation?.limit ?? (isRead ? 'reads' : 'writes'),
    scope: operation?.scope ?? null,
  };
}
