import type { ActorTokens } from '@payroll/admission';
import { Batches, type ServiceName } from '@payroll/kernel';
import { currentTraceparent, metrics, step } from '@payroll/telemetry';
import { Pool } from 'undici';
import { isMutation, SubgraphMessage, type SubgraphAnswer, type SubgraphRequest } from './subgraph-message.js';

/** On whose behalf an operation runs. Each service is sent its token from admission unchanged. */
export interface Caller {
  tokens: ActorTokens;
  requestId: string;
  /** True once the caller has disconnected: reads that have not been sent by then are not sent. */
  isGone?: () => boolean;
  /** Called when a service replays the result of an earlier call with the same operation id. */
  noteReplay?: () => void;
  /** Called when a service has recorded its refusal of the operation id: it will never be applied. */
  noteRecorded?: () => void;
}

/** `text`: whether the answer may come as text. */
export type SubgraphQuestion = Pick<SubgraphRequest, 'query' | 'variables' | 'text'>;

/** Services give up after 5 s: without an answer by then the service is down. */
const TIMEOUT_MS = 6_000;

/** Shorter than a service drains, so that no request arrives on an idle connection as it closes. */
const IDLE_MS = 4_000;

/** How long queries wait for the answers of the message before theirs; ordinary reads are answered sooner. */
const HOLD_MS = 20;
const MOST_IN_A_MESSAGE = 50;

/**
 * One service's subgraph, over a pool of keep-alive connections. Queries that arrive while others are in flight share the
 * next message, each with its own caller's token (ADR 07). Mutations share one with those of the same turn of the event
 * loop: none waits for another's answer, and no read for a write.
 */
export class SubgraphSource {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly queries: Batches<SubgraphRequest, SubgraphAnswer>;
  private readonly mutations: Batches<SubgraphRequest, SubgraphAnswer>;

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
      keepAliveMaxTimeout: IDLE_MS,
    });
    const send = (requests: readonly SubgraphRequest[]) => this.post(requests);
    this.queries = new Batches({ send, maxSize: MOST_IN_A_MESSAGE, holdMs: HOLD_MS });
    this.mutations = new Batches({ send, maxSize: MOST_IN_A_MESSAGE, holdMs: 0 });
  }

  /** Never rejects: when the service does not answer, the answer is `SERVICE_UNAVAILABLE`. */
  async send(question: SubgraphQuestion, caller: Caller): Promise<SubgraphAnswer> {
    const startedAt = performance.now();
    const subgraph = this.service;
    const details = { kind: 'client', requestId: caller.requestId } as const;
    try {
      const answer = await step(`ask ${subgraph}`, details, () => this.ask(question, caller));
      if (answer.extensions?.replayed) caller.noteReplay?.();
      if (answer.extensions?.recorded) caller.noteRecorded?.();
      metrics.subgraphCalls.since(startedAt, { subgraph, outcome: answer.errors ? 'errors' : 'ok' });
      return answer;
    } catch {
      metrics.subgraphCalls.since(startedAt, { subgraph, outcome: 'unavailable' });
      const extensions = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
      return {
        data: null,
        errors: [{ message: `The ${this.service} service is unavailable at the moment.`, extensions }],
      };
    }
  }

  private async ask(question: SubgraphQuestion, { tokens, isGone }: Caller): Promise<SubgraphAnswer> {
    const request = { ...question, token: tokens[this.service], traceparent: currentTraceparent() };
    return await (isMutation(question.query) ? this.mutations.ask(request) : this.queries.ask(request, isGone));
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private post(requests: readonly SubgraphRequest[]): readonly Promise<SubgraphAnswer>[] {
    const message = new SubgraphMessage(requests);
    void message.sendBy(this.pool, this.path);
    return message.answers;
  }
}
