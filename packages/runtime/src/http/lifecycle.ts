import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorForLog } from '@payroll/kernel';
import type { FastifyInstance } from 'fastify';
import type { ProcessConfig } from '../settings/config.js';
import { inTime } from '../in-time.js';
import { createLog } from '../log.js';
import { listenError } from '../run-main.js';
import { processLabels, VERSION } from '../deployment.js';
import { serveMetrics } from '../telemetry/scrape.js';
import { startTracing } from '../telemetry/steps.js';

/** Longer than any answer may take (10 s), except one that waits for a person. */
const FINISH_WITHIN_MS = 12_000;

/**
 * Stops a process without failing a request. Once asked to stop, it reports not ready to balancers, and every answer asks
 * its client to use another connection next time: no connection is closed while a request may be in flight.
 */
export class Drain {
  private begun = false;
  private closing = false;
  private readonly servers = new Set<Server>();
  private readonly open = new Set<ServerResponse>();

  /** Whether the process has been asked to stop: readiness says so. */
  get isStopping(): boolean {
    return this.begun;
  }

  /** To be called before the server listens, and before any other listener of its requests is added. */
  watch(server: Server): void {
    this.servers.add(server);
    server.prependListener('request', (_request, response) => {
      this.open.add(response);
      if (this.begun) response.shouldKeepAlive = false;
      response.once('close', () => this.closed(response, server));
    });
  }

  begin(): void {
    this.begun = true;
    for (const response of this.open) response.shouldKeepAlive = false;
  }

  /** Called once no new connection is accepted. Cuts off requests that take too long, so that the process ends. */
  close(): void {
    this.closing = true;
    const cutOff = (): void => this.servers.forEach((server) => server.closeAllConnections());
    setTimeout(cutOff, FINISH_WITHIN_MS).unref();
  }

  /** An answer that began before the drain has kept its connection open; only this code closes it. */
  private closed(response: ServerResponse, server: Server): void {
    this.open.delete(response);
    if (this.closing) setImmediate(() => server.closeIdleConnections());
  }
}

/** Listens until it is disposed of: it then finishes what it took. `variable` names the port. */
export async function openServer(
  server: FastifyInstance,
  drain: Drain,
  { listenHost: host, listenPort: port }: Pick<ProcessConfig, 'listenHost' | 'listenPort'>,
  variable = 'LISTEN_PORT',
): Promise<AsyncDisposable> {
  drain.watch(server.server);
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw listenError(variable, host, port, error);
  }
  return { [Symbol.asyncDispose]: () => server.close() };
}

/** A process under load may take a while for its answer; one that takes longer is of no use to a balancer. */
const WITHIN_MS = 2_000;

/**
 * The checks of a process's dependencies, by the name that /readyz prints. False or a rejection: not ready. A list names the parts
 * that are missing, and is printed instead of the name.
 */
type DependencyChecks = Readonly<Record<string, () => boolean | Promise<unknown>>>;

/** Says what is missing; empty when traffic is welcome. */
export type ReadinessCheck = () => Promise<readonly string[]>;

export function createReadinessCheck(drain: Drain, needs: DependencyChecks, withinMs = WITHIN_MS): ReadinessCheck {
  return async () => {
    if (drain.isStopping) return ['its end'];
    const answers = Object.entries(needs).map(async ([name, look]) => {
      const answer = await inTime<unknown>(withinMs, look).catch(() => false);
      return Array.isArray(answer) ? answer.map(String) : answer === false ? [name] : [];
    });
    return (await Promise.all(answers)).flat();
  };
}

export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** `/livez`: the event loop turns. `/readyz`: so does what the process needs, and it is not about to stop (ADR 09). */
export function serveHealth(server: FastifyInstance, missing: ReadinessCheck): void {
  server.get('/livez', () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const names = await missing();
    if (names.length === 0) return { status: 'ok' };
    return await reply.code(503).send({ status: 'unavailable', waitingFor: names });
  });
}

/**
 * Starts what serves and, once the process is asked to stop, says so in `/readyz`, goes on serving for `drainSeconds`, takes
 * nothing new, finishes what it took and lets go of it. Asked twice, it ends at once.
 */
export async function serveUntilStopped(
  name: string,
  { drainSeconds, logLevel, telemetry }: Pick<ProcessConfig, 'drainSeconds' | 'logLevel' | 'telemetry'>,
  start: (drain: Drain) => Promise<AsyncDisposable>,
): Promise<void> {
  await using _telemetry = await startTelemetry(name, telemetry);
  const log = createLog(name, logLevel);
  log.info({ version: VERSION }, 'starts');
  // Node would print the error whole: a statement with its values, or the row that a unique index refused.
  process.on('uncaughtException', (error) => {
    log.fatal({ error: errorForLog(error) }, 'ends after a failure that nothing handles');
    process.exit(1);
  });
  const drain = new Drain();
  // From the beginning: a signal during the start stops the process afterwards.
  const stopped = untilStopped();
  await using _running = await start(drain);
  const isWaitedFor = await stopped;
  drain.begin();
  if (isWaitedFor) await sleep(drainSeconds * 1_000);
  drain.close();
}

/**
 * Metrics and traces of this process, which carry its cell as its log lines do. Started first, so that every part finds its
 * metrics connected, and disposed of last. Loads a library only if its setting is on.
 */
export async function startTelemetry(
  name: string,
  { cell, metricsHost, metricsPort, tracing }: ProcessConfig['telemetry'],
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  if (cell !== null) processLabels.cell = cell;
  if (metricsPort !== null) starting.use(await serveMetrics(metricsHost, metricsPort));
  if (tracing !== null) starting.use(await startTracing(name, tracing));
  return starting.move();
}

/** False when the parent that started the process with IPC is gone: then nobody waits for it to drain. */
async function untilStopped(): Promise<boolean> {
  return await new Promise((resolve) => {
    const asked = (isWaitedFor: boolean): void => {
      // The next signal does what signals do without a listener.
      process.off('SIGTERM', bySignal).off('SIGINT', bySignal);
      resolve(isWaitedFor);
    };
    const bySignal = (): void => asked(true);
    process.on('SIGTERM', bySignal).on('SIGINT', bySignal);
    process.once('disconnect', () => asked(false));
  });
}
