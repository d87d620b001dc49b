import type { Gateway } from '@payroll/gateway';
import { refuseUnknownRoute, type Log } from '@payroll/process';
import { operations, type Operation, type OperationName } from '@payroll/public-api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyClaims } from '../idempotency/claims.js';
import { fingerprintOf, once } from '../idempotency/once.js';
import { operationNames } from '../operations/bindings.js';
import { prepareOperation, type AnswerChecks } from '../operations/prepare.js';
import { createRequestReader, type RequestParts } from '../operations/read-request.js';
import { admit, type Admission } from './admit.js';
import { JSON_TYPE } from './errors.js';

export interface V1Dependencies extends Admission, AnswerChecks {
  gateway: Gateway;
  claims: IdempotencyClaims;
  log: Log;
}

/** The public API. Everything below its prefix asks admission first. */
export function v1(dependencies: V1Dependencies) {
  return (app: FastifyInstance, _options: object, done: () => void): void => {
    app.addHook('onRequest', (request, reply) => admit(dependencies, request, reply));
    app.setNotFoundHandler(() => refuseUnknownRoute());
    for (const name of operationNames) {
      const { method, path }: Operation = operations[name];
      app.route({
        method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { operation: operations[name], operationName: name },
        handler: handlerOf(name, dependencies),
      });
    }
    done();
  };
}

function handlerOf(name: OperationName, dependencies: V1Dependencies) {
  const { gateway, claims, log } = dependencies;
  const { method, success }: Operation = operations[name];
  const readRequest = createRequestReader(name);
  const run = prepareOperation(name, gateway, dependencies);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { input, path, write } = readRequest(request as RequestParts);
    const { origin, tokens } = request.admitted!;
    const { deadline } = request;
    // A write is finished though its client has left: it asks for nothing twice, and its answer is kept for the retry.
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
    const claim = { principalId: origin.actor.principalId, key, fingerprint, requestId: request.id };
    const answering = once({ claims, log }, claim, async ({ operationId, history }) => {
      let replayed = false;
      const noteReplay = (): void => void (replayed = true);
      const body = await deadline.race(run(input, { ...caller, noteReplay, history }, operationId));
      return { status: success.status, body, replayed };
    });
    const { status, body, replayed } = await deadline.raceWithGrace(answering);
    void reply.code(status);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return body;
  };
}
