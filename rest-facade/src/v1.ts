import type { AdmissionClient, AdmissionGranted, Credential, RateLimit, AdmissionRequest } from '@payroll/admission';
import type { Gateway } from '@payroll/gateway';
import { DomainError } from '@payroll/kernel';
import { operations, type ApiOperation, type OperationName } from '@payroll/public-api';
import { refuseUnknownRoute } from '@payroll/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prepareOperation } from './ask-graph.js';
import { operationNames } from './bindings.js';
import { JSON_TYPE } from './errors.js';
import { createRunOnce, type IdempotencyKeys, type RunNotes } from './idempotency.js';
import { createRequestReader, type RequestParts } from './read-request.js';

export interface V1Dependencies {
  admission: Pick<AdmissionClient, 'ask'>;
  /** Reads the `Authorization` header; null for what cannot be a credential of this deployment. */
  parseCredential: (authorization: string | undefined) => Credential | null;
  /** Explains to the caller why a header cannot be a credential. */
  whyNoCredential: (authorization: string | undefined) => string;
  gateway: Gateway;
  keys: IdempotencyKeys;
  /** The share, 0 to 1, of the answers that is compared with the public contract; default all. */
  checkedShare?: number;
  /** How long an answer may take, body included. */
  deadlineMs?: number;
}

export const DEADLINE_MS = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission, before any handler below `/v1` runs. */
    admitted: AdmissionGranted | null;
    /** When the work is given up. */
    deadline: Deadline;
  }
  interface FastifyContextConfig {
    operation?: ApiOperation;
    operationName?: OperationName;
  }
}

/** The public API. The steps of a request stand in their order, and each may refuse it before the next. */
export function v1(dependencies: V1Dependencies) {
  const runOnce = createRunOnce(dependencies.keys);
  return (app: FastifyInstance, _options: object, done: () => void): void => {
    // Before Fastify reads the body. Also for paths that do not exist: strangers do not learn which ones do.
    app.addHook('onRequest', (request, reply) => admit(dependencies, request, reply));
    app.setNotFoundHandler(() => refuseUnknownRoute());
    for (const name of operationNames) {
      const operation: ApiOperation = operations[name];
      const { method, path, success } = operation;
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const readRequest = createRequestReader(name);
      const askGraph = prepareOperation(name, dependencies.gateway, dependencies.checkedShare);
      const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
        const { origin, tokens } = request.admitted!;
        const { deadline, id: requestId } = request;
        const { input, write } = readRequest(request as RequestParts);
        void reply.code(success.status).type(JSON_TYPE);
        // A write is finished though its client has left: the retry then finds it done.
        const isGone = (): boolean => deadline.isOver || (!write && reply.raw.destroyed);
        const ask = (operationId?: string, notes?: RunNotes): Promise<string> =>
          deadline.race(askGraph(input, { tokens, requestId, isGone, ...notes }, operationId));
        if (!write) return await ask();
        const keyed = { principalId: origin.actor.principalId, ...write };
        const { body, replayed } = await deadline.race(runOnce(keyed, ask));
        if (replayed) void reply.header('Idempotency-Replayed', 'true');
        return body;
      };
      app.route({ method, url, config: { operation, operationName: name }, handler });
    }
    done();
  };
}

/**
 * Starts the clock of a request, and asks who is calling and whether they may.
 * @throws DomainError the refusal of admission
 */
export async function admit(
  { admission, parseCredential, whyNoCredential, deadlineMs = DEADLINE_MS }: V1Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.deadline = startDeadline(reply, deadlineMs);
  const question = questionOf(parseCredential, request);
  const isGone = (): boolean => reply.raw.destroyed;
  const answer = await request.deadline.race(admission.ask(question, isGone));
  reply.headers(rateLimitHeaders(answer.rateLimits));
  if (!answer.admitted) {
    const { code, retryAfterSeconds } = answer;
    const isUnreadable = code === 'INVALID_CREDENTIAL' && question.credential === null;
    const message = isUnreadable ? whyNoCredential(request.headers.authorization) : answer.message;
    throw new DomainError(code, message, { retryAfterSeconds });
  }
  request.admitted = answer;
}

function questionOf(parseCredential: V1Dependencies['parseCredential'], request: FastifyRequest): AdmissionRequest {
  // An unknown route has no operation and requires no scope.
  const operation = request.is404 ? undefined : request.routeOptions.config.operation;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return {
    credential: parseCredential(request.headers.authorization),
    requestId: request.id,
    clientAddress: request.ip,
    limit: isRead ? 'reads' : 'writes',
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

/**
 * A point in time after which work is given up with 503. Fastify's `handlerTimeout` cannot be used: it stops its clock as soon
 * as a body has been read (fastify/fastify#6725), so no write would ever be given up.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private readonly end = Promise.withResolvers<never>();
  private over = false;

  constructor(afterMs: number) {
    // Without a caller waiting, the rejection would be unhandled.
    this.end.promise.catch(() => {});
    this.timer = setTimeout(() => {
      this.over = true;
      this.end.reject(tooLate());
    }, afterMs);
  }

  get isOver(): boolean {
    return this.over;
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when the time is over first. */
  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.end.promise, work]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }
}

function tooLate(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'The answer took too long. Retry with backoff.', {
    retryAfterSeconds: 1,
  });
}

/** The rest of the time is for saying that the work took too long. */
const WORK_SHARE = 0.9;

/** The deadline of a request. Its clock stops when the answer has been sent. */
function startDeadline(reply: FastifyReply, answerMs: number): Deadline {
  const deadline = new Deadline(answerMs * WORK_SHARE);
  reply.raw.once('close', () => {
    // When the client left early, the clock goes on: its operation is still finished, or given up in time.
    if (reply.raw.writableFinished) deadline[Symbol.dispose]();
  });
  return deadline;
}
