import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

const MOST_ATTEMPTS = 10;
const RETRY_MS = 100;

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface LoadOptions {
  origin: string;
  connections: number;
  count: number;
  request: (n: number) => Request;
}

export interface LoadResult {
  seconds: number;
  /** Sorted, in ms. */
  latencies: number[];
}

/** Sends `count` requests over keep-alive connections, each the next as soon as its last is answered. */
export async function load({ origin, connections, count, request }: LoadOptions): Promise<LoadResult> {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin, { connections }), (open) => open.close());
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const sentAt = performance.now();
      await answered(pool, request(n));
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { seconds: (performance.now() - startedAt) / 1000, latencies: latencies.toSorted((a, b) => a - b) };
}

/** A 503 is retried with the same key, as integrators do; any other failure ends the bench. */
async function answered(pool: Pool, request: Request): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode < 300) return;
    if (statusCode !== 503 || attempt === MOST_ATTEMPTS) {
      throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 200)}`);
    }
    await pause(attempt * RETRY_MS);
  }
}
