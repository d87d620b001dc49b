import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { addToEveryLine } from '@payroll/process';
import { OpenTelemetryTracing, traceIdForLog } from './open-telemetry.js';
import { useTracing } from './steps.js';

export interface TracingConfig {
  /** Of the traces that begin here, 0 to 1; what others began is kept as they decided. */
  ratio: number;
  /** How long finished steps wait for others to leave with. */
  exportEveryMs: number;
}

const SHUTDOWN_WITHIN_MS = 2_000;

/**
 * Sends the steps of this process to the collector that the standard `OTEL_EXPORTER_OTLP_*` variables name; the exporter
 * reads them itself. Disposing sends what is left.
 */
export function startTracing(name: string, { ratio, exportEveryMs }: TracingConfig): AsyncDisposable {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.instance.id': `${hostname()}:${process.pid}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: exportEveryMs }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Not as the global provider: libraries that find one add steps of their own, with the texts of queries in them.
  useTracing(new OpenTelemetryTracing(provider.getTracer('payroll')));
  addToEveryLine(traceIdForLog);
  return {
    async [Symbol.asyncDispose]() {
      useTracing(undefined);
      // A collector that is away must not keep a process from ending.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(SHUTDOWN_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
