import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, parseJson } from '@payroll/kernel';
import {
  cellHint,
  createEdge,
  openServer,
  plainRefusal,
  routeOf,
  type Drain,
  type EdgeConfig,
  type ReadinessCheck,
} from '@payroll/runtime';
import { CALLBACK_HEADERS, isCallback, isGenuine } from '@payroll/provider-protocol';
import type { ServiceDependencies } from '@payroll/service';
import { mapDatabaseError, sql, write } from '@payroll/store';
import type { FastifyInstance } from 'fastify';

export interface CallbackSettings extends Pick<EdgeConfig, 'listenHost' | 'listenPort'> {
  /** Public URL of the callback endpoint. */
  url: string;
  /** The keys with which the provider may sign callbacks. */
  keys: readonly KeyObject[];
}

export type CallbackDependencies = Pick<ServiceDependencies, 'em' | 'log'> & { waitingFor: ReadinessCheck };

const LARGEST_BODY = 65_536;

/** The HTTP server for the provider's callbacks (ADR 16). */
export async function openCallbacks(
  parts: CallbackDependencies,
  drain: Drain,
  settings: CallbackSettings,
): Promise<AsyncDisposable> {
  return await openServer(createCallbacks(parts, settings), drain, settings, 'CALLBACK_LISTEN_PORT');
}

/** A callback decides nothing: it makes the attempt due for a poll, and the provider's answer counts. */
export function createCallbacks(
  { em, log, waitingFor }: CallbackDependencies,
  { url, keys }: CallbackSettings,
): FastifyInstance {
  const app = createEdge({
    log,
    waitingFor,
    publicUrl: url,
    bodyLimitBytes: LARGEST_BODY,
    traceNameOf: routeOf,
    refusal: plainRefusal,
  });
  // Keep the raw bytes: they are what was signed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/payouts/callbacks', async ({ headers, body }, reply) => {
    const { [CALLBACK_HEADERS.timestamp]: timestamp, [CALLBACK_HEADERS.signature]: signature } = headers;
    const now = Date.now();
    if (!Buffer.isBuffer(body) || !keys.some((key) => isGenuine(key, { timestamp, signature }, body, now))) {
      throw new DomainError('INVALID_CREDENTIAL', `The signature is missing, wrong or too old.${cellHint()}`);
    }
    const callback = parseJson(body.toString());
    if (!isCallback(callback)) throw new DomainError('INVALID_REQUEST', 'The body must name an order.');
    await pollSoon(em, callback.idempotencyKey);
    return await reply.code(204).send();
  });
  return app;
}

/** Ignores unknown and finished attempts; the response does not reveal either. */
async function pollSoon(em: EntityManager, idempotencyKey: string): Promise<void> {
  await write(
    em,
    sql`update payout_attempt set next_poll_at = clock_timestamp()
      where idempotency_key = ${idempotencyKey} and status in ('prepared', 'submitted') and next_poll_at > clock_timestamp()`,
  ).catch((error: unknown) => {
    throw mapDatabaseError(error);
  });
}
