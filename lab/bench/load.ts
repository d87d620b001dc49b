import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Request } from '@payroll/tools/operate/requests';

const MAX_ATTEMPTS = 10;
const RETRY_MS = 100;

export interface Load {
  connections: number;
  count: number;
  request: (n: number) => Request;
  /**
   * Sent at this rate, independent of the latency; otherwise each connection sends the next request as soon as it has
   * an answer.
   */
  perSecond?: number;
}

export interface Loaded {
  seconds: number;
  /** In ms from the time a request was due. */
  latencies: number[];
  /** Number of 503 answers. */
  unavailable: number;
}

/**
 * Sends `count` requests. A request that is answered by 503 is repeated; any other failure, including 429, ends the
 * bench.
 */
export async function load(origin: string, { connections, count, request, perSecond }: Load): Promise<Loaded> {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections }), (open) => open.close());
  const latencies: number[] = [];
  let next = 0;
  let unavailable = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const now = performance.now();
      const dueAt = perSecond === undefined ? now : startedAt + (n * 1000) / perSecond;
      if (dueAt > now) await pause(dueAt - now);
      unavailable += await answered(pool, request(n));
      latencies.push(performance.now() - dueAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, latencies, unavailable };
}

/**
 * Repeats a request with the same key, as integrators do, until the answer is not 503. @returns the number of 503
 * answers
 */
async function answered(pool: Pool, request: Request): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    const isWrong = text.includes('"errors":[') || text.includes('"isError":true') || text.includes('"error":{');
    if (statusCode < 300 && !isWrong) return attempt;
    const isUnavailable = statusCode === 503 || (statusCode < 300 && text.includes('"SERVICE_UNAVAILABLE"'));
    if (!isUnavailable || attempt + 1 === MAX_ATTEMPTS) {
      throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 200)}`);
    }
    await pause((attempt + 1) * RETRY_MS);
  }
}
