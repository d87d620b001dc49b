import { setTimeout as pause } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  /** The body exactly as received. */
  text: string;
  headers: Headers;
}

export interface RawRequest {
  key: string;
  method?: 'GET' | 'POST';
  body?: object | string;
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** One request over HTTP. Rejects if there is no answer. */
export async function exchange(
  url: string,
  { key, method = 'GET', body, idempotencyKey, headers }: RawRequest,
): Promise<RawAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

export function codeOf({ text }: RawAnswer): string | undefined {
  return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
}

/** Answers after which public-api.md §7 says to repeat the request unchanged. */
function isPassing(answer: RawAnswer): boolean {
  return [502, 503, 504].includes(answer.status) || codeOf(answer) === 'OPERATION_IN_PROGRESS';
}

/**
 * Sends a request until its answer is final, as an integrator should: with the same key and body each time.
 * @param failed called for every attempt without a final answer
 */
export async function insist(send: () => Promise<RawAnswer>, failed: () => void): Promise<RawAnswer> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    const answer = await send().catch(() => null);
    if (answer !== null && !isPassing(answer)) return answer;
    failed();
    // Back-off with jitter.
    await pause(waitMs * (0.5 + Math.random()));
  }
}
