import type { Gateway } from '@payroll/gateway';
import { refuseUnknownRoute } from '@payroll/process';
import { operations, type Operation, type OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit, type Admission } from './admit.js';
import { prepareOperation, type AnswerChecks } from './ask-graph.js';
import { operationNames } from './bindings.js';
import { JSON_TYPE } from './errors.js';
import { createRunOnce, fingerprintOf, type IdempotencyKeys, type RunOnce } from './idempotency.js';
import { createRequestReader, type RequestParts } from './read-request.js';

export interface V1Dependencies extends Admission, AnswerChecks {
  gateway: Gateway;
  keys: IdempotencyKeys;
}

/** The public API. Everything below its prefix asks admission first. */
export function v1(dependencies: V1Dependencies) {
  const runOnce = createRunOnce(dependencies.keys);
  return (app: FastifyInstance, _options: object, done: () => void): void => {
    app.addHook('onRequest', (request, reply) => admit(dependencies, request, reply));
    app.setNotFoundHandler(() => refuseUnknownRoute());
    for (const name of operationNames) {
      const { method, path }: Operation = operations[name];
      app.route({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operation: operations[name], operationName: name },
        handler: handlerOf(name, dependencies, runOnce),
      });
    }
    done();
  };
}

function handlerOf(name: OperationName, dependencies: V1Dependencies, runOnce: RunOnce) {
  const { method, success }: Operation = operations[name];
  const readRequest = createRequestReader(name);
  const run = prepareOperation(name, dependencies.gateway, dependencies);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { input, path, write } = readRequest(request as RequestParts);
    const { origin, tokens } = request.admitted!;
    const { deadline } = request;
    // A write is finished though its client has left: the retry then finds it done.
    const isGone = (): boolean => deadline.isOver || (!write && reply.raw.destroyed);
    const caller = { tokens, requestId: request.id, isGone };
    void reply.type(JSON_TYPE);
    if (!write) {
      const body = await deadline.race(run(input, caller));
      void reply.code(success.status);
      return body;
    }
    const { key, asSent } = write;
    const fingerprint = fingerprintOf(method, `/v1${path}`, asSent);
    const keyed = { principalId: origin.actor.principalId, key, fingerprint };
    const answering = runOnce(keyed, (operationId, notes) =>
      // A request that has been given up is not under way.
      deadline.race(run(input, { ...caller, ...notes }, operationId)),
    );
    const { body, replayed } = await deadline.race(answering);
    void reply.code(success.status);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return body;
  };
}
