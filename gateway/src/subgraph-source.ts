import type { ServiceName } from '@payroll/admission';
import DataLoader from 'dataloader';
import { Pool } from 'undici';
import type { Caller } from './caller.js';

/** What a subgraph says to one operation. */
export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

interface SubgraphRequest {
  token: string;
  query: string;
  variables: Record<string, unknown> | undefined;
}

/** A service gives up after 5 s; what takes longer is a service that is not there. */
const TIMEOUT_MS = 6_000;

/**
 * One service's subgraph, over a pool of keep-alive connections. Queries of one tick travel in one message, each with
 * its own caller's token; a mutation travels alone, so that nobody waits for another's write.
 */
export class SubgraphSource {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly queries: DataLoader<SubgraphRequest, SubgraphAnswer>;

  constructor(
    private readonly service: ServiceName,
    url: string,
  ) {
    const { origin, pathname } = new URL(url);
    this.path = pathname;
    this.pool = new Pool(origin, {
      connections: 32,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: { timeout: 1_000 },
    });
    this.queries = new DataLoader((requests) => this.post(requests), { cache: false, maxBatchSize: 50 });
  }

  /** Never rejects: a service that does not answer is an answer with `SERVICE_UNAVAILABLE`. */
  async send(query: string, variables: Record<string, unknown> | undefined, caller: Caller): Promise<SubgraphAnswer> {
    const request: SubgraphRequest = { token: caller.tokens[this.service], query, variables };
    try {
      if (!query.trimStart().startsWith('mutation')) return await this.queries.load(request);
      const [answer] = await this.post([request]);
      return answer!;
    } catch {
      const extensions = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
      return {
        data: null,
        errors: [{ message: `The ${this.service} service is unavailable at the moment.`, extensions }],
      };
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async post(requests: readonly SubgraphRequest[]): Promise<SubgraphAnswer[]> {
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`The ${this.service} subgraph answered ${statusCode}.`);
    }
    return (await body.json()) as SubgraphAnswer[];
  }
}
