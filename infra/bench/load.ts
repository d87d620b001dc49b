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

/** Keeps each connection busy until `count` requests are answered. Latencies are in ms, sorted. */
export async function load(
  origin: string,
  { connections, count, request }: { connections: number; count: number; request: (n: number) => Request },
): Promise<{ seconds: number; latencies: number[] }> {
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

/** Of sorted values, such as latencies: the one that this share of them does not exceed. */
export function at(share: number, sorted: readonly number[]): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

/** What is unavailable is asked for again, with the same key, as integrators do; any other failure ends the bench. */
async function answered(pool: Pool, request: Request): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    const isWrong = text.includes('"errors":[') || text.includes('"isError":true') || text.includes('"error":{');
    if (statusCode < 300 && !isWrong) return;
    const isUnavailable = statusCode === 503 || (statusCode < 300 && text.includes('"SERVICE_UNAVAILABLE"'));
    if (!isUnavailable || attempt === MOST_ATTEMPTS) {
      throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 200)}`);
    }
    await pause(attempt * RETRY_MS);
  }
}
