import { setTimeout as pause } from 'node:timers/promises';
import type { GraphQLDataSource } from '@apollo/gateway';
import type { ActorTokens } from '@payroll/admission';
import { RequestBatcher, recordOf, SERVICES, type ServiceName } from '@payroll/kernel';
import {
  currentTraceparent,
  exchange,
  metrics,
  openPool,
  withSpan,
  wasNeverSent,
  wasUnanswered,
} from '@payroll/runtime';
import type { Dispatcher, Pool } from 'undici';
import type { SubgraphUrls } from './config.js';

/** On whose behalf an operation runs. Each service is sent its token from admission unchanged. */
export interface Caller {
  tokens: ActorTokens;
  requestId: string;
  /** True once the caller has disconnected: reads that have not been sent by then are not sent. */
  isGone?: () => boolean;
  /** Called when a service replays the result of an earlier call with the same operation id. */
  onReplay?: () => void;
  /** Called when a service has recorded its refusal of the operation id: it will never be applied. */
  onRefusalRecorded?: () => void;
}

export interface SubgraphResponse {
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
  /** `replayed`: an earlier call with the same operation id made the change; `recorded`: no call with it ever will. */
  extensions?: { replayed?: true; recorded?: true };
  data?: Record<string, unknown> | null;
}

type Question = Pick<SubgraphRequest, 'query' | 'variables'>;

/** Services write errors and extensions first, so a response that begins with its data has neither. */
const DATA_ALONE = '{"data":';

/** Services give up after 5 s: without an answer after that the service is down. */
const TIMEOUT_MS = 6_000;

/** How long queries wait for the answers of the message before theirs; ordinary reads are answered sooner. */
const HOLD_MS = 20;
const MAX_REQUESTS_PER_MESSAGE = 50;

/**
 * One service's subgraph, over a pool of keep-alive connections. Queries that arrive while others are in flight share the
 * next message, each with its own caller's token (ADR 07). Mutations share one with those of the same turn of the event
 * loop: none waits for another's answer, and no read for a write.
 */
class SubgraphSource implements GraphQLDataSource, AsyncDisposable {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly queries: RequestBatcher<SubgraphRequest, string>;
  private readonly mutations: RequestBatcher<SubgraphRequest, string>;

  constructor(
    private readonly service: ServiceName,
    url: string,
  ) {
    const { origin, pathname } = new URL(url);
    this.path = pathname;
    this.pool = openPool(origin, { connections: 32, answeredWithinMs: TIMEOUT_MS });
    const send = (requests: readonly SubgraphRequest[]) => this.post(requests);
    this.queries = new RequestBatcher({ send, maxSize: MAX_REQUESTS_PER_MESSAGE, maxWaitMs: HOLD_MS });
    this.mutations = new RequestBatcher({ send, maxSize: MAX_REQUESTS_PER_MESSAGE, maxWaitMs: 0 });
  }

  /** GraphQL's response as text. Never rejects: when the service does not answer, it is `SERVICE_UNAVAILABLE`. */
  async send(question: Question, caller: Caller): Promise<string> {
    const startedAt = performance.now();
    const subgraph = this.service;
    const details = { kind: 'client', requestId: caller.requestId } as const;
    try {
      const response = await withSpan(`ask ${subgraph}`, details, () => this.ask(question, caller));
      const outcome = response.startsWith(DATA_ALONE) ? 'ok' : noteAll(response, caller);
      metrics.subgraphCalls.since(startedAt, { subgraph, outcome });
      return response;
    } catch {
      metrics.subgraphCalls.since(startedAt, { subgraph, outcome: caller.isGone?.() ? 'abandoned' : 'unavailable' });
      const message = `The ${subgraph} service is unavailable at the moment.`;
      const extensions = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
      return JSON.stringify({ errors: [{ message, extensions }], data: null } satisfies SubgraphResponse);
    }
  }

  /** For Apollo's gateway, whose context is `{ caller }`. */
  async process({ request, context }: Parameters<GraphQLDataSource['process']>[0]): Promise<SubgraphResponse> {
    const { caller } = context as { caller: Caller };
    const response = await this.send({ query: request.query ?? '', variables: request.variables }, caller);
    return JSON.parse(response) as SubgraphResponse;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }

  private async ask(question: Question, { tokens, isGone }: Caller): Promise<string> {
    const extensions = { token: tokens[this.service], traceparent: currentTraceparent() };
    const request = { ...question, extensions };
    return await (isMutation(question.query) ? this.mutations.ask(request) : this.queries.ask(request, isGone));
  }

  private post(requests: readonly SubgraphRequest[]): readonly Promise<string>[] {
    const message = new SubgraphMessage(requests);
    void message.sendBy(this.pool, this.path);
    return message.responses;
  }
}

/** Passes on to the caller what a service reports beside its data. */
function noteAll(response: string, caller: Caller): 'ok' | 'errors' {
  const { errors, extensions } = JSON.parse(response) as SubgraphResponse;
  if (extensions?.replayed) caller.onReplay?.();
  if (extensions?.recorded) caller.onRefusalRecorded?.();
  return errors ? 'errors' : 'ok';
}

export type SubgraphSources = Readonly<Record<ServiceName, SubgraphSource>>;

export function subgraphSources(urls: SubgraphUrls): SubgraphSources {
  return recordOf(SERVICES, (service) => new SubgraphSource(service, urls[service]));
}

/** Long enough to reach another process, too short for a caller to notice. */
const PAUSES_MS = [20, 100];

interface SubgraphRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  /** The caller's actor token and trace. */
  extensions: { token: string; traceparent: string | undefined };
}

/** A message to a subgraph; each request gets GraphQL's response as text as soon as the service has it. */
class SubgraphMessage {
  readonly responses: readonly Promise<string>[];
  private hasBegun = false;
  private readonly open: PromiseWithResolvers<string>[];

  constructor(private readonly requests: readonly SubgraphRequest[]) {
    this.open = requests.map(() => Promise.withResolvers<string>());
    this.responses = this.open.map(({ promise }) => promise);
  }

  /** Never rejects: a failure rejects the responses that are still missing. */
  async sendBy(pool: Dispatcher, path: string): Promise<void> {
    const body = JSON.stringify(this.requests);
    for (let attempt = 0; ; attempt++) {
      const failure = await exchange(pool, path, { body }, (line) => this.take(line));
      const pauseMs = PAUSES_MS[attempt];
      if (!failure || this.hasBegun || pauseMs === undefined || !isRetryable(failure, this.requests)) {
        return this.giveUp(failure ?? MISSING_ANSWER_ERROR);
      }
      await pause(pauseMs);
    }
  }

  /** `place response` */
  private take(line: string): void {
    this.hasBegun = true;
    const end = line.indexOf(' ');
    this.open[Number(line.slice(0, end))]?.resolve(line.slice(end + 1));
  }

  private giveUp(reason: Error): void {
    for (const { reject } of this.open) reject(reason);
  }
}

/** Rejects requests that a complete answer leaves out. Made once: creating an error collects its stack. */
const MISSING_ANSWER_ERROR = new Error('A subgraph left requests without an answer.');

/** Whether to retry on another connection: reads always, a mutation only if the service cannot have seen it. */
export function isRetryable(error: unknown, requests: readonly { query: string }[]): boolean {
  if (wasNeverSent(error)) return true;
  return wasUnanswered(error) && requests.every(({ query }) => !isMutation(query));
}

function isMutation(query: string): boolean {
  return query.startsWith('mutation');
}
