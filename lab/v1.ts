import type { ContractDocument, Method } from '@payroll/tests/support/document';
import { Judge } from '@payroll/tests/support/judge';
import { Pool } from 'undici';

export interface ApiRequest {
  method: Method;
  /** The template of the document, `/contracts/{id}`. */
  path: string;
  id?: string;
  query?: Readonly<Record<string, string>>;
  idempotencyKey?: string;
  body?: object;
}

export interface Answer {
  /** 0 without an answer: `text` then says why. */
  status: number;
  text: string;
  /** The error's; undefined after a success. */
  code: string | undefined;
  retryAfterMs: number | undefined;
  ms: number;
  /** Its parts that the document does not declare, if the client has one. */
  faults: readonly string[];
}

/** The facade answers within 10 s: a longer wait is a process that waits for a server which has vanished. */
const PATIENCE_MS = 11_000;

/** A client of `/v1` at several addresses, one after the other, as behind a balancer. */
export class ApiClient implements AsyncDisposable {
  private readonly pools: Pool[];
  private readonly judge: Judge | undefined;
  private turn = 0;

  constructor(
    urls: readonly string[],
    private readonly document?: ContractDocument,
  ) {
    this.pools = urls.map((url) => new Pool(new URL(url).origin));
    this.judge = document && new Judge(document);
  }

  /** Never rejects. */
  async send(key: string, request: ApiRequest): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.answer(key, request).catch((error: unknown) => String(error));
    const ms = performance.now() - startedAt;
    const none = { status: 0, code: 'NO_ANSWER', retryAfterMs: undefined, ms, faults: [] };
    if (typeof answer === 'string') return { ...none, text: answer };
    const { status, headers, text } = answer;
    const code = status < 300 ? undefined : codeIn(text);
    const retryAfter = headers.get('retry-after');
    const retryAfterMs = retryAfter === null ? undefined : 1_000 * Number(retryAfter);
    const operation = this.document?.operation(request.method, request.path);
    const faults = operation === undefined ? [] : this.judge!.faultsOf(operation, answer);
    return { status, text, code, retryAfterMs, ms, faults };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }

  private async answer(key: string, { method, path, id = '', query, idempotencyKey, body }: ApiRequest) {
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const response = await this.pools[this.turn++ % this.pools.length]!.request({
      method,
      path: `/v1${path.replace('{id}', id)}${search}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const headers = new Headers(response.headers as Record<string, string>);
    return { status: response.statusCode, headers, text: await response.body.text() };
  }
}

function codeIn(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? 'NO_CODE';
  } catch {
    return 'NO_JSON';
  }
}

/** All rows of a list. */
export async function listAll<Row>(api: ApiClient, key: string, list: Omit<ApiRequest, 'method'>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = { ...list.query, limit: '100', ...(cursor && { cursor }) };
    const { status, text } = await api.send(key, { ...list, method: 'GET', query });
    if (status !== 200) throw new Error(`${list.path} could not be listed: ${text}`);
    const page = JSON.parse(text) as { data: Row[]; nextCursor: string | null };
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}
