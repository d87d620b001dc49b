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
  type Link,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Beginning, OpenStep, StepDetails, Tracing } from './steps.js';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const propagator = new W3CTraceContextPropagator();

/** Steps as spans of OpenTelemetry. What is not sampled is not followed any further. */
export class OpenTelemetryTracing implements Tracing {
  constructor(private readonly tracer: Tracer) {}

  begin(name: string, { continues, follows, ...details }: Beginning): OpenStep {
    const parent = continues === undefined ? ROOT_CONTEXT : contextOf(continues);
    const span = this.open(name, details, parent, linkTo(follows));
    const within = trace.setSpan(parent, span);
    return {
      run: (work) => context.with(within, work),
      end: ({ status, isFailure, workspaceId }) => {
        span.setAttribute('http.response.status_code', status);
        if (workspaceId !== undefined) span.setAttribute('payroll.workspace_id', workspaceId);
        if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async start<T>(name: string, { continues, follows, ...details }: Beginning, work: () => Promise<T>): Promise<T> {
    const parent = continues === undefined ? ROOT_CONTEXT : contextOf(continues);
    return await this.run(this.open(name, details, parent, linkTo(follows)), parent, work);
  }

  async step<T>(name: string, details: StepDetails, work: () => Promise<T>): Promise<T> {
    const parent = context.active();
    if (!isSampled(parent)) return await work();
    return await this.run(this.open(name, details, parent), parent, work);
  }

  async stepOf<T>(traceparent: string, name: string, details: StepDetails, work: () => Promise<T>): Promise<T> {
    const parent = contextOf(traceparent);
    if (!isSampled(parent)) return await work();
    return await this.run(this.open(name, details, parent), parent, work);
  }

  traceparent(): string | undefined {
    if (!isSampled(context.active())) return undefined;
    const carrier: { traceparent?: string } = {};
    propagator.inject(context.active(), carrier, defaultTextMapSetter);
    return carrier.traceparent;
  }

  private open(name: string, details: StepDetails, parent: Context, links: Link[] = []): Span {
    const { kind, requestId, workspaceId, aboutId } = details;
    const attributes = {
      ...(requestId !== undefined && { 'payroll.request_id': requestId }),
      ...(workspaceId !== undefined && { 'payroll.workspace_id': workspaceId }),
      ...(aboutId !== undefined && { 'payroll.about_id': aboutId }),
    };
    return this.tracer.startSpan(name, { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes, links }, parent);
  }

  private async run<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
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
}

/** For the log: the trace that a line belongs to. */
export function traceIdForLog(): { traceId?: string } {
  const { traceId, traceFlags } = trace.getSpanContext(context.active()) ?? { traceFlags: TraceFlags.NONE };
  return traceId !== undefined && traceFlags === TraceFlags.SAMPLED ? { traceId } : {};
}

function contextOf(traceparent: string): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

function isSampled(of: Context): boolean {
  return trace.getSpanContext(of)?.traceFlags === TraceFlags.SAMPLED;
}

function linkTo(traceparent: string | undefined): Link[] {
  const spanContext = traceparent === undefined ? undefined : trace.getSpanContext(contextOf(traceparent));
  return spanContext ? [{ context: spanContext }] : [];
}

function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
