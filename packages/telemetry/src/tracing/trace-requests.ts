import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginTrace, isTracing, type OpenStep } from './steps.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The step that answers it; null where nobody collects traces, and for what is of no interest. */
    openStep: OpenStep | null;
  }
}

export interface TraceRequestsOptions {
  /** What is done, as a person would say it; null for what is of no interest. */
  nameOf: (request: FastifyRequest) => string | null;
  /** Whether the caller is one of our own processes. Anybody else's trace is pointed at, not continued. */
  isOurs?: (request: FastifyRequest) => boolean;
  workspaceOf?: (request: FastifyRequest) => string | undefined;
}

/** Begins a trace for each request of a server; to be called before the hooks and handlers that belong to it are added. */
export function traceRequests(app: FastifyInstance, { nameOf, isOurs, workspaceOf }: TraceRequestsOptions): void {
  app.decorateRequest('openStep', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const name = nameOf(request);
    const { traceparent } = request.headers;
    const caller = typeof traceparent === 'string' ? traceparent : undefined;
    const ours = caller !== undefined && isOurs?.(request) === true;
    const beginning = {
      kind: 'server',
      requestId: request.id,
      ...(ours ? { continues: caller } : { follows: caller }),
    } as const;
    request.openStep = name === null ? null : beginTrace(name, beginning);
    within(request, done);
  });
  // What comes with the body comes on the socket's own account: the step is entered again.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  app.addHook('onResponse', (request, { raw: { statusCode: status } }, done) => {
    request.openStep?.end({ status, isFailure: status >= 500, workspaceId: workspaceOf?.(request) });
    // Lines about the answer belong to it.
    within(request, done);
  });
}

function within({ openStep }: FastifyRequest, work: () => void): void {
  if (openStep) openStep.run(work);
  else work();
}
