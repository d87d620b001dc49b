import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, type TextMapPropagator, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { processLabels } from '../deployment.js';

export interface TracingConfig {
  /** The share of traces begun here that is kept, 0 to 1; whoever began another has decided about it. */
  ratio: number;
  /** How long finished steps wait for others to be sent with. */
  exportEveryMs: number;
}

export interface Collector {
  tracer: Tracer;
  propagator: TextMapPropagator;
  shutdown(): Promise<void>;
}

const SHUTDOWN_WITHIN_MS = 2_000;

/** The exporter itself reads where to send from the standard `OTEL_EXPORTER_OTLP_*` variables. */
export function startCollector(name: string, { ratio, exportEveryMs }: TracingConfig): Collector {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': name,
      'service.instance.id': `${hostname()}:${process.pid}`,
      ...(processLabels.cell !== undefined && { 'payroll.cell': processLabels.cell }),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: exportEveryMs }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    // Not the global provider: libraries that find one add steps of their own, with the texts of queries in them.
    tracer: provider.getTracer('payroll'),
    propagator: new W3CTraceContextPropagator(),
    async shutdown() {
      // A collector that is away must not keep a process from ending.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(SHUTDOWN_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
