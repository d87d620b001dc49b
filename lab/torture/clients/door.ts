import { Pool } from 'undici';
import type { ContractDocument, Method } from '@payroll/tests/support/document';
import { Judge } from '@payroll/tests/support/judge';
import type { History } from '../history.js';

export interface Ask {
  method: Method;
  /** The template of the document, `/contracts/{id}`. */
  path: string;
  id?: string;
  query?: Record<string, string>;
  key: string;
  idempotencyKey?: string;
  body?: object;
}

export interface Answer {
  status: number;
  text: string;
  code: string | undefined;
  retryAfterMs: number;
}

const CONNECTIONS = 48;
/** The facade answers within 10 s; a client waits a little longer. */
const PATIENCE_MS = 15_000;

/** `/v1` through several proxies. Every answer is validated against openapi.json. */
export class Door implements AsyncDisposable {
  private readonly pools: Pool[];
  private readonly judge: Judge;
  private turn = 0;

  constructor(
    ports: readonly number[],
    private readonly document: ContractDocument,
    private readonly history: History,
  ) {
    const limits = { connections: CONNECTIONS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
    this.pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, limits));
    this.judge = new Judge(document);
  }

  /** Rejects if there is no answer. Each try may use another proxy, as behind a balancer. */
  async ask({ method, path, id = '', query, key, idempotencyKey, body }: Ask): Promise<Answer> {
    const pool = this.pools[this.turn++ % this.pools.length]!;
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const response = await pool.request({
      method,
      path: `/v1${path.replace('{id}', id)}${search}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    const headers = new Headers(response.headers as Record<string, string>);
    const answer = { status: response.statusCode, headers, text };
    for (const fault of this.judge.faultsOf(this.document.operation(method, path), answer)) {
      this.history.log({ type: 'improper', rule: 'documented', what: `${method} ${path} ${answer.status}: ${fault}` });
    }
    const code = answer.status < 300 ? undefined : codeIn(text);
    return { status: answer.status, text, code, retryAfterMs: Number(headers.get('retry-after') ?? 0) * 1_000 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }
}

function codeIn(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? 'NO_CODE';
  } catch {
    return 'NO_JSON';
  }
}
