import { ApiError, errorOf, NoAnswerError, type Refusal } from './errors.js';
import type { ErrorBody } from './shapes.js';

export interface PayrollOptions {
  /** The address of the API, ending in `/v1`. */
  baseUrl: string;
  /** An API key, or a function that returns the current one, called before each attempt, so that a new key needs no restart. */
  key: string | (() => string | Promise<string>);
  /** How long a call may take with all its attempts, in milliseconds: 90,000 unless told, since a limit may need a wait of 60,000. */
  deadlineMs?: number;
  /** How long one attempt waits for its answer, in milliseconds: 15,000 unless told. */
  attemptMs?: number;
  /** Told of each attempt, for logs and metrics. It never gets a key, a query or a body; an error of it is ignored. */
  onAttempt?: (attempt: Attempt) => void;
  fetch?: typeof fetch;
}

export interface Attempt {
  /** The operation of the API, such as `approveTimesheet`. */
  call: string;
  method: 'GET' | 'POST';
  path: string;
  /** From 1 on. */
  number: number;
  durationMs: number;
  /** Null if no complete response arrived. */
  status: number | null;
  requestId: string | null;
  /** Whether this is the answer that the operation was given before. */
  isReplayed: boolean;
}

export interface Waiting {
  signal?: AbortSignal;
  /** As the client's, for this call. */
  deadlineMs?: number;
}

export interface Call {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  /** The JSON and the idempotency key of a write, the same at each attempt. */
  body?: string;
  operation?: string | undefined;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
const OPERATION = /^[\w-]{16,128}$/;

/** Retries a call until its response is final (public-api.md §7). */
export class Sender {
  private readonly pace = new RateLimitPacer();
  private readonly baseUrl: string;
  readonly #options: PayrollOptions;

  constructor(options: PayrollOptions) {
    const { baseUrl, key } = options;
    // Usually a variable of the environment that is not set.
    if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no address, but ${JSON.stringify(baseUrl)}`);
    if (typeof key !== 'string' && typeof key !== 'function') throw new TypeError('key is missing');
    this.baseUrl = new URL(baseUrl).href.replace(/\/+$/, '');
    this.#options = options;
  }

  async send<Answer>(call: Call, { signal, deadlineMs }: Waiting = {}): Promise<Answer> {
    requireOperation(call);
    const until = performance.now() + (deadlineMs ?? this.#options.deadlineMs ?? 90_000);
    for (let number = 1; ; number++) {
      const early = this.pace.pauseMs(call.method === 'GET' ? 'reads' : 'writes');
      // One that cannot wait so long asks at once: the answer may be kinder than what was said before.
      if (performance.now() + early < until) await pause(early, signal);
      try {
        return (await this.attempt(call, number, until, signal)) as Answer;
      } catch (error) {
        const pauseMs = pauseAfter(error, number);
        if (pauseMs === null || performance.now() + pauseMs >= until) throw error;
        await pause(pauseMs, signal);
      }
    }
  }

  private async attempt(call: Call, number: number, until: number, signal?: AbortSignal): Promise<unknown> {
    const startedAt = performance.now();
    const heard: Pick<Attempt, 'status' | 'requestId' | 'isReplayed'> = {
      status: null,
      requestId: null,
      isReplayed: false,
    };
    try {
      const { response, text } = await this.exchange(call, until, signal);
      const { status, headers } = response;
      Object.assign(heard, {
        status,
        requestId: headers.get('x-request-id'),
        isReplayed: headers.get('idempotency-replayed') === 'true',
      });
      this.pace.learn(headers.get('ratelimit'));
      if (response.ok) return read(call, text);
      throw errorIn(call, response, text);
    } finally {
      const { name, method, path } = call;
      const durationMs = performance.now() - startedAt;
      this.tell({ call: name, method, path, number, durationMs, ...heard });
    }
  }

  private tell(attempt: Attempt): void {
    try {
      this.#options.onAttempt?.(attempt);
    } catch {
      // A log that is broken must not turn a payment that was made into a failure.
    }
  }

  private async exchange(
    call: Call,
    until: number,
    signal?: AbortSignal,
  ): Promise<{ response: Response; text: string }> {
    const { attemptMs = 15_000, fetch: send = fetch } = this.#options;
    const inTime = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(attemptMs, until - performance.now()))));
    const ends = signal ? AbortSignal.any([signal, inTime]) : inTime;
    const ended = (error: unknown): unknown => (signal?.aborted ? signal.reason : new NoAnswerError(call, error));
    const headers: Record<string, string> = { authorization: bearerOf(await this.key(ends, ended)) };
    if (call.operation !== undefined) headers['idempotency-key'] = call.operation;
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    try {
      const response = await send(this.addressOf(call), {
        method: call.method,
        headers,
        ...(call.body !== undefined && { body: call.body }),
        // A key goes to no other address than the one that was given.
        redirect: 'manual',
        signal: ends,
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw ended(error);
    }
  }

  /** The current key. A function that does not return in time ends the attempt: the vault behind it may hang. */
  private async key(ends: AbortSignal, ended: (error: unknown) => unknown): Promise<string> {
    const { key } = this.#options;
    if (typeof key === 'string') return key;
    return await new Promise((resolve, reject) => {
      ends.addEventListener('abort', () => reject(ended(ends.reason) as Error), { once: true });
      Promise.resolve(key()).then(resolve, reject);
    });
  }

  private addressOf({ path, query = {} }: Call): string {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url.href;
  }
}

/** `fetch` names a header that it refuses with all its text, and that error would be kept as a cause. */
function bearerOf(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return `Bearer ${trimmed}`;
  throw new TypeError('The key is empty, or has line breaks or other characters that no key has');
}

function requireOperation({ name, method, operation }: Call): void {
  if (method === 'GET' || OPERATION.test(operation ?? '')) return;
  throw new TypeError(
    `${name} needs an operation of 16 to 128 letters, digits, "_" and "-": newOperation() makes one to store`,
  );
}

/** @throws NoAnswerError for what something on the way made of it: the service always answers in JSON. */
function read(call: Call, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoAnswerError(call, error);
  }
}

/** A proxy's page says nothing about a write that it may have passed on. */
function errorIn(call: Call, response: Response, text: string): ApiError | NoAnswerError {
  const error = errorOf(refusalIn(response, text));
  return response.status >= 500 && error.code.startsWith('HTTP_') ? new NoAnswerError(call, error) : error;
}

function refusalIn(response: Response, text: string): Refusal {
  const { status, headers } = response;
  const retryAfter = Number.parseInt(headers.get('retry-after') ?? '', 10);
  const retryAfterSeconds = Number.isNaN(retryAfter) ? null : retryAfter;
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (typeof error.code === 'string') return { ...error, status, retryAfterSeconds };
  } catch {
    // Not the service's own: a proxy's page, say.
  }
  const message = `Something on the way to the service answered with ${status}.`;
  return { type: 'api_error', code: `HTTP_${status}`, message, status, requestId: '', retryAfterSeconds };
}

/** Null when another attempt could not help: only the caller can. */
function pauseAfter(error: unknown, number: number): number | null {
  const isTransient = error instanceof NoAnswerError || (error instanceof ApiError && isWorthRetrying(error));
  if (!isTransient) return null;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), LONGEST_PAUSE_MS);
  const said = error instanceof NoAnswerError ? error.cause : error;
  const asked = said instanceof ApiError ? (said.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(longest * (0.5 + Math.random() / 2), asked);
}

function isWorthRetrying({ status, code }: ApiError): boolean {
  return [429, 502, 503, 504].includes(status) || code === 'OPERATION_IN_PROGRESS';
}

/** Waits where the service says that nothing is left of a limit, before a 429 has to say so (public-api.md §8). */
class RateLimitPacer {
  private readonly fullUntil = new Map<string, number>();

  /** Takes in `RateLimit: "reads";r=5;t=42, "workspace";r=0;t=42`: of each limit what remains, and for how many seconds. */
  learn(header: string | null): void {
    for (const [, name, seconds] of (header ?? '').matchAll(/"(\w+)";r=0;t=(\d+)/g)) {
      this.fullUntil.set(name!, performance.now() + Number(seconds) * 1000);
    }
  }

  /** For how long a request of the principal had better not be sent. */
  pauseMs(limit: 'reads' | 'writes'): number {
    const until = [limit, 'workspace'].map((name) => this.fullUntil.get(name) ?? 0);
    return Math.max(...until) - performance.now();
  }
}

/** @throws the reason of the signal once it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
