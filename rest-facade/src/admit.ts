import type { AdmissionClient, SentQuestion, Credential, RateLimit } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Admission {
  admission: AdmissionClient;
  /** Reads the `Authorization` header; null for what cannot be a credential of this deployment. */
  parseCredential: (authorization: string | undefined) => Credential | null;
  /** What is wrong with a header that cannot be one, for whoever sent it. */
  whyNoCredential: (authorization: string | undefined) => string;
}

/**
 * Asks who is calling and whether they may, before the body is looked at. Also for paths that do not exist: a stranger
 * does not learn which ones do.
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

function questionOf(parseCredential: Admission['parseCredential'], request: FastifyRequest): SentQuestion {
  // Without a route there is no operation, and no scope to need.
  const operation = request.is404 ? undefined : request.routeOptions.config.operation;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return {
    credential: parseCredential(request.headers.authorization),
    requestId: request.id,
    clientAddress: request.ip,
    limit: operation?.limit ?? (isRead ? 'reads' : 'writes'),
    scope: operation?.scope ?? null,
  };
}

/** Every limit of public-api.md §8 is per minute. */
const WINDOW_S = 60;

/**
 * The IETF draft's two headers (draft-ietf-httpapi-ratelimit-headers): the policies, and what is left of the caller's
 * own; the workspace's shared ceiling joins when it is the one that will be met first.
 */
export function rateLimitHeaders(limits: readonly RateLimit[]): Record<string, string> {
  const ordered = limits.toSorted((a, b) => Number(a.name === 'workspace') - Number(b.name === 'workspace'));
  const [own, ...shared] = ordered;
  if (!own) return {};
  const telling = [own, ...shared.filter(({ remaining }) => remaining < own.remaining)];
  return {
    'RateLimit-Policy': ordered.map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_S}`).join(', '),
    RateLimit: telling
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}
