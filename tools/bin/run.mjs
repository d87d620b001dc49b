// Entry file of the commands that a build creates: rebuilds what has changed since the last build, as `npm start` does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './prepare.mjs';
import { StepFailed } from './step.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = {
  'backup-figures': 'lab/backups/main',
  'begin-faults': 'lab/torture/begin-faults',
  outages: 'lab/torture/outages/main',
  bench: 'lab/bench/main',
  cluster: 'lab/cluster/main',
  'dead-letters': 'tools/operate/dead-letters',
  demo: 'tools/demo/play',
  doctor: 'tools/operate/doctor',
  failover: 'lab/failover/main',
  evaluate: 'lab/evaluation/main',
  footprint: 'lab/bench/footprint/main',
  hosts: 'lab/bench/hosts',
  keys: 'tools/demo/keys',
  mutate: 'lab/mutation/main',
  load: 'tools/operate/load',
  reconcile: 'tools/operate/reconcile',
  'rolling-restart': 'tools/operate/rolling-restart',
  sandbox: 'tools/demo/sandbox',
  screenshots: 'tools/browser/screenshots',
  statement: 'tools/operate/statement',
  token: 'tools/operate/token',
  torture: 'lab/torture/main',
  trace: 'tools/operate/trace',
};

// The reader of a pipe, such as `head`, may close it early.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? undefined : 1));

const [name] = process.argv.splice(2, 1);
const program = new URL(`../../${programs[name].replace('/', '/dist/')}.js`, import.meta.url);
const needsHelp = process.argv.includes('--help') || process.argv.includes('-h');

try {
  if (!existsSync(join(root, 'node_modules'))) throw new StepFailed('nothing is installed here yet: type  npm start');
  if (!needsHelp || !existsSync(program)) await buildIfStale(root, { isVerbose: process.env.LOG !== undefined });
} catch (error) {
  process.stderr.write(`npm run ${name}: ${error.message}\n`);
  process.exit(1);
}
await import(program.href);
