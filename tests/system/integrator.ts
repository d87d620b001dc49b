import { setTimeout as pause } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  /** As it came, to the byte. */
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

/** One request over HTTP. Rejects where there is no answer. */
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

/** What public-api.md §7 says is to be sent again as it was. */
function isPassing(answer: RawAnswer): boolean {
  return [502, 503, 504].includes(answer.status) || codeOf(answer) === 'OPERATION_IN_PROGRESS';
}

/**
 * Sends a request until its answer is final, as an integrator should: the same key and the same body each time.
 * @param failed told of every try that came to nothing
 */
export async function insist(send: () => Promise<RawAnswer>, failed: () => void): Promise<RawAnswer> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    const answer = await send().catch(() => null);
    if (answer !== null && !isPassing(answer)) return answer;
    failed();
    // A backoff with jitter; nothing is waited for in vain, as any answer that is final ends it.
    await pause(waitMs * (0.5 + Math.random()));
  }
}
