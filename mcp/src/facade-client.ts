import { setTimeout as pause } from 'node:timers/promises';
import { operations, type ErrorBody, type OperationName } from '@payroll/public-api';
import { currentTraceparent, withSpan, fieldSpanName } from '@payroll/runtime';
import { Pool, type Dispatcher } from 'undici';
import { ToolError } from './tools/tool-error.js';

/** For a call including its retries (public-api.md §8). */
const DEADLINE_MS = 15_000;
const RETRIES = 2;
/** Shorter than the facade drains, so that no request arrives on an idle connection as it closes. */
const IDLE_MS = 4_000;
const FIRST_BACKOFF_MS = 250;
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface HttpAnswer extends Pick<Dispatcher.ResponseData, 'headers'> {
  status: number;
  text: string;
}

export interface FacadeRequest {
  operation: OperationName;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  write?: { body: unknown; idempotencyKey: string };
  assertion: string;
  signal: AbortSignal;
}

/** A client of `/v1`, the only source of this process's data. */
export class FacadeClient implements AsyncDisposable {
  private readonly pool: Pool;
  private readonly prefix: string;

  constructor(
    restUrl: string,
    private readonly deadlineMs = DEADLINE_MS,
  ) {
    const { origin, pathname } = new URL(restUrl);
    this.pool = new Pool(origin, { connections: 64, keepAliveMaxTimeout: IDLE_MS });
    this.prefix = pathname.replace(/\/$/, '');
  }

  /**
   * Retries lost connections and temporary errors, obeying `Retry-After` if the deadline allows.
   * @returns the body of the answer, byte for byte
   * @throws ToolError with the API's code, or `MCP_UNAVAILABLE`.
   */
  async call(request: FacadeRequest): Promise<string> {
    const deadline = performance.now() + this.deadlineMs;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(this.deadlineMs)]);
    // The API's own refusal says more than a read's last attempt that was not answered. A write's last attempt decides.
    let before: HttpAnswer | null = null;
    for (let attempt = 0; ; attempt++) {
      const answer = await withSpan(`ask /v1 to ${fieldSpanName(request.operation)}`, { kind: 'client' }, () =>
        this.exchange(request, signal),
      );
      if (answer && answer.status < 300) return bodyOf(answer);
      const waitMs = waitBefore(attempt, answer);
      const isFinal = attempt === RETRIES || (answer && !RETRIED.has(answer.status));
      if (isFinal || performance.now() + waitMs >= deadline) throw failureOf(request, answer ?? before);
      before = request.write ? null : answer;
      await pause(waitMs, undefined, { signal: request.signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }

  /** Null without an answer; a write may still have been applied. */
  private async exchange(request: FacadeRequest, signal: AbortSignal): Promise<HttpAnswer | null> {
    const { operation, write, assertion } = request;
    const traceparent = currentTraceparent();
    try {
      const { statusCode, headers, body } = await this.pool.request({
        method: operations[operation].method,
        path: this.pathOf(request),
        headers: {
          authorization: `Bearer ${assertion}`,
          ...(traceparent !== undefined && { traceparent }),
          ...(write && { 'content-type': 'application/json', 'idempotency-key': write.idempotencyKey }),
        },
        body: write ? JSON.stringify(write.body) : null,
        signal,
      });
      return { status: statusCode, headers, text: await body.text() };
    } catch {
      request.signal.throwIfAborted();
      return null;
    }
  }

  private pathOf({ operation, params = {}, query = {} }: FacadeRequest): string {
    const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name]!),
    );
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return `${this.prefix}${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
  }
}

/** Its type vouches for it: the facade writes nothing else as JSON than what it has checked. */
function bodyOf({ headers, text }: HttpAnswer): string {
  if (String(headers['content-type']).startsWith('application/json')) return text;
  throw ToolError.of(
    'TOOL_FAILED',
    'The answer of the API could not be read. Check the current state before you try again.',
  );
}

function waitBefore(attempt: number, answer: HttpAnswer | null): number {
  const asked = answer && retryAfterSecondsOf(answer);
  return asked ? asked * 1000 : FIRST_BACKOFF_MS * 2 ** attempt * (1 + Math.random());
}

function retryAfterSecondsOf({ headers }: HttpAnswer): number | undefined {
  const text = headers['retry-after'];
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The error that the model sees; null: there was no response. */
function failureOf({ write }: FacadeRequest, answer: HttpAnswer | null): ToolError {
  if (!answer) {
    const mayHaveWritten = ' A write may have taken place: check the current state before you try again.';
    return ToolError.of('MCP_UNAVAILABLE', `The API did not answer in time.${write ? mayHaveWritten : ''}`);
  }
  const error = errorIn(answer.text);
  const { status } = answer;
  const retryAfterSeconds = retryAfterSecondsOf(answer);
  if (!error) {
    return ToolError.of('MCP_UNAVAILABLE', 'The API cannot be reached at the moment.', { status, retryAfterSeconds });
  }
  const { code, message, requestId, details } = error;
  return new ToolError({ code, message, status, requestId, retryAfterSeconds, details });
}

/** Undefined if the text is not the API's error body, as from a proxy. */
function errorIn(text: string): ErrorBody['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>;
    return typeof error?.code === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
