import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { ContractDocument, Method } from '../document.js';
import { Judge } from '../judge.js';
import type { components, paths } from '../../../packages/sdk/src/v1.js';
import { violationsOf } from './violations.js';

type V1Client = Client<paths>;
export type Schemas = components['schemas'];

/** A request that the typed client would not allow, because it is invalid on purpose. */
export interface RawRequest {
  method: Method;
  /** The template of the document, `/contracts/{id}`: the answer is compared with its declaration there. */
  path: string;
  params?: Record<string, string>;
  /** Includes the question mark. */
  query?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * The public API as an integrator has it: by its address and its document. Every answer is validated against the
 * document.
 */
export class PublicApi {
  readonly judge: Judge;

  constructor(
    readonly baseUrl: string,
    readonly document: ContractDocument,
  ) {
    this.judge = new Judge(document);
  }

  /** A client for one API key. An answer that the document does not allow is an error. */
  client(key: string): V1Client {
    const client = createClient<paths>({ baseUrl: this.baseUrl, headers: { authorization: `Bearer ${key}` } });
    client.use(this.checked());
    return client;
  }

  async raw({ method, path, params = {}, query = '', key, headers, body }: RawRequest): Promise<RawAnswer> {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
    const response = await fetch(this.baseUrl + filled + query, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    this.check(method, path, answer);
    return answer;
  }

  private checked(): Middleware {
    return {
      onResponse: async ({ request, response, schemaPath }) => {
        const { status, headers } = response;
        this.check(request.method, schemaPath, { status, headers, text: await response.clone().text() });
      },
    };
  }

  private check(method: string, path: string, answer: RawAnswer): void {
    const faults = this.judge.faultsOf(this.document.operation(method, path), answer);
    const all = [...faults, ...violationsOf(answer.headers, answer.status)];
    if (all.length > 0) throw new Error(`${method} ${path} ${answer.status} is not as documented: ${all.join('; ')}`);
  }
}
