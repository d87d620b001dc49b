import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { Collector, TracingConfig } from './collector.js';

/** What may be said of a step: ids of ours and closed words. Never a body, a credential, a name or a statement's values. */
interface SpanDetails {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  requestId?: string | undefined;
  workspaceId?: string | undefined;
  /** What it is about, such as the payment. */
  aboutId?: string | undefined;
}

/** Where a trace begins. */
interface SpanStart extends SpanDetails {
  /** The `traceparent` of a caller whom we trust: then it is a further step of that trace. */
  continues?: string | undefined;
  /** The `traceparent` of whatever led here: it is linked, and nothing else. */
  follows?: string | undefined;
}

/** A step that is open for as long as a request. */
export interface RequestSpan {
  /** Runs something as a part of it. */
  run<T>(work: () => T): T;
  end(outcome: { status: number; workspaceId?: string | undefined }): void;
}

/** Undefined: nobody collects, and every step is just its work. */
let collector: Collector | undefined;

/** Sends the steps of this process to a collector. Disposing sends what is left. OpenTelemetry's SDK is loaded only here. */
export async function startTracing(name: string, config: TracingConfig): Promise<AsyncDisposable> {
  const { startCollector } = await import('./collector.js');
  const started = startCollector(name, config);
  collector = started;
  return {
    async [Symbol.asyncDispose]() {
      collector = undefined;
      await started.shutdown();
    },
  };
}

export function isTracing(): boolean {
  return collector !== undefined;
}

/** Begins what is open until it is ended, at an edge; null where nobody collects. */
export function startServerSpan(name: string, beginning: SpanStart): RequestSpan | null {
  if (!collector) return null;
  const parent = contextOf(beginning.continues);
  const span = open(name, beginning, parent);
  const within = trace.setSpan(parent, span);
  return {
    run: (work) => context.with(within, work),
    end: ({ status, workspaceId }) => {
      span.setAttribute('http.response.status_code', status);
      if (workspaceId !== undefined) span.setAttribute('payroll.workspace_id', workspaceId);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Runs what begins by itself, such as a runner's work on one thing. */
export function withRootSpan<T>(name: string, beginning: SpanStart, work: () => Promise<T>): Promise<T> {
  return collector ? run(name, beginning, contextOf(beginning.continues), work) : work();
}

/** Runs a step of the current trace; where there is none, only the work. */
export function withSpan<T>(name: string, details: SpanDetails, work: () => Promise<T>): Promise<T> {
  const parent = context.active();
  return isSampled(parent) ? run(name, details, parent, work) : work();
}

/** Runs a step of a trace that came from another process, with the question, the event or the row that brings it here. */
export function withRemoteSpan<T>(
  traceparent: string | null | undefined,
  name: string,
  details: SpanDetails,
  work: () => Promise<T>,
): Promise<T> {
  const parent = contextOf(traceparent);
  return isSampled(parent) ? run(name, details, parent, work) : work();
}

/** Runs what is done for several at once, as a step of the trace of each. */
export function withSpanInEach<T>(
  askers: readonly ({ traceparent?: string | undefined } | null)[],
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!collector) return work();
  const nested = askers.reduce<() => Promise<T>>(
    (inner, asker) => () => withRemoteSpan(asker?.traceparent, name, { kind: 'server' }, inner),
    work,
  );
  return nested();
}

/** The step under way as it travels (W3C Trace Context); undefined where there is none, or nobody keeps it. */
export function currentTraceparent(): string | undefined {
  const active = context.active();
  if (!collector || !isSampled(active)) return undefined;
  const carrier: { traceparent?: string } = {};
  collector.propagator.inject(active, carrier, defaultTextMapSetter);
  return carrier.traceparent;
}

/** For the log: the trace that a line belongs to. */
export function traceIdForLog(): { traceId?: string } {
  const spanContext = trace.getSpanContext(context.active());
  return spanContext?.traceFlags === TraceFlags.SAMPLED ? { traceId: spanContext.traceId } : {};
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

function open(name: string, { kind, requestId, workspaceId, aboutId, follows }: SpanStart, parent: Context): Span {
  const attributes = {
    ...(requestId !== undefined && { 'payroll.request_id': requestId }),
    ...(workspaceId !== undefined && { 'payroll.workspace_id': workspaceId }),
    ...(aboutId !== undefined && { 'payroll.about_id': aboutId }),
  };
  const linked = trace.getSpanContext(contextOf(follows));
  const links = linked ? [{ context: linked }] : [];
  return collector!.tracer.startSpan(name, { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes, links }, parent);
}

async function run<T>(name: string, beginning: SpanStart, parent: Context, work: () => Promise<T>): Promise<T> {
  const span = open(name, beginning, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    // By its code or its class: messages of drivers hold the values of statements.
    span.setAttribute('error.type', wordOf(error)).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function contextOf(traceparent: string | null | undefined): Context {
  if (!collector || !traceparent) return ROOT_CONTEXT;
  return collector.propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

/** A trace that is not sampled gets no further steps. */
function isSampled(of: Context): boolean {
  return collector !== undefined && trace.getSpanContext(of)?.traceFlags === TraceFlags.SAMPLED;
}

function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** `approveTimesheet` as people say it: "approve timesheet". */
export function fieldSpanName(field: string): string {
  return field.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `payment.create-for-timesheet` as people say it: "create payment for timesheet". */
export function commandSpanName(command: string): string {
  const [thing = '', deed = ''] = command.split('.');
  const [verb = '', ...rest] = deed.split('-');
  return [verb, thing.replaceAll('-', ' '), ...rest].filter(Boolean).join(' ');
}
