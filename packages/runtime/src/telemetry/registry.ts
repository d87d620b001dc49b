import * as prometheus from 'prom-client';
import { processLabels } from '../deployment.js';
import { metrics } from './catalogue.js';

/** Connects every metric to prom-client and adds those of the process: CPU, memory, event-loop lag, garbage collection. */
export function connectMetrics(): prometheus.Registry {
  const registry = new prometheus.Registry();
  registry.setDefaultLabels(processLabels);
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  for (const metric of Object.values(metrics)) {
    const { name, help } = metric;
    const described = { name, help, labelNames: [...metric.labels], registers };
    switch (metric.kind) {
      case 'counter':
        metric.connect(new prometheus.Counter(described));
        break;
      case 'gauge':
        metric.connect(gaugeSink(new prometheus.Gauge(described), metric.labels.length > 0));
        break;
      case 'histogram':
        metric.connect(new prometheus.Histogram({ ...described, buckets: [...metric.buckets] }));
        break;
    }
  }
  return registry;
}

/** A gauge is absent until it is set, and again once it is cleared: prom-client shows 0 where it has no labels. */
function gaugeSink(gauge: prometheus.Gauge, hasLabels: boolean) {
  const clear = (): void => (hasLabels ? gauge.reset() : gauge.remove());
  clear();
  return { set: (labels: Record<string, string>, value: number) => gauge.set(labels, value), clear };
}
