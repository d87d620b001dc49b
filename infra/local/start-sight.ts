import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TRACES_FILE } from '../sight/traces-file.js';
import { type Watch, watchProcesses } from '../sight/watch-processes.js';

/** Where a Prometheus on this machine finds all processes (`infra/sight/prometheus-local.yml`). */
const TARGETS_FILE = '.local/metrics-targets.json';

/** For `SIGHT=1 npm start`: every process tells of itself, and the traces of this run are kept. */
export async function startSight(root: string): Promise<Watch & { greeting: string }> {
  const [traces, targets] = [join(root, TRACES_FILE), join(root, TARGETS_FILE)];
  mkdirSync(dirname(traces), { recursive: true, mode: 0o711 });
  // Ids of workspaces and of what was done for them: for their owner only.
  writeFileSync(traces, '', { mode: 0o600 });
  const watch = await watchProcesses('default', (message) => appendFileSync(traces, `${message}\n`));
  const ports = Object.entries(watch.metricsPorts);
  const found = ports.map(([job, port]) => ({ targets: [`127.0.0.1:${port}`], labels: { job } }));
  writeFileSync(targets, JSON.stringify(found, null, 2));
  const metrics = ports.map(([name, port]) => `  ${name.padEnd(12)} http://127.0.0.1:${port}/metrics`);
  const lines = ['Metrics', ...metrics, '', 'Traces', '  npm run trace -- <the X-Request-Id of an answer>', ''];
  return { ...watch, greeting: lines.join('\n') };
}
