import { setTimeout as sleep } from 'node:timers/promises';
import type { Drain } from './drain.js';

/** A process under load may take a while for its answer; one that takes longer is of no use to a balancer. */
const WITHIN_MS = 2_000;

/** What a process needs before it may be given traffic, by a name for people. False and a rejection both mean: not now. */
export type Needs = Readonly<Record<string, () => boolean | Promise<unknown>>>;

/** Says what is missing; empty when traffic is welcome. */
export type WaitingFor = () => Promise<readonly string[]>;

export function waitingFor(drain: Drain, needs: Needs, withinMs = WITHIN_MS): WaitingFor {
  return async () => {
    if (drain.isStopping) return ['its end'];
    const answers = Object.entries(needs).map(async ([name, isThere]) =>
      (await isMet(isThere, withinMs)) ? [] : name,
    );
    return (await Promise.all(answers)).flat();
  };
}

/** The part of a Fastify server that is needed here. */
interface HealthServer {
  get(path: string, handler: (request: unknown, reply: HealthReply) => unknown): unknown;
}

interface HealthReply {
  code(status: number): { send(body: object): unknown };
}

/** What `serveHealth` answers. */
export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** `/livez`: the event loop turns. `/readyz`: so does what the process needs, and it is not about to stop (ADR 0019). */
export function serveHealth(server: HealthServer, missing: WaitingFor): void {
  server.get('/livez', () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const names = await missing();
    if (names.length === 0) return { status: 'ok' };
    return await reply.code(503).send({ status: 'unavailable', waitingFor: names });
  });
}

async function isMet(isThere: Needs[string], withinMs: number): Promise<boolean> {
  const given = new AbortController();
  const inTime = sleep(withinMs, false, { signal: given.signal, ref: false }).catch(() => false);
  try {
    return (await Promise.race([isThere(), inTime])) !== false;
  } catch {
    return false;
  } finally {
    given.abort();
  }
}
