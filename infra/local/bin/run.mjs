// The first file of the commands that a build makes: builds what has changed since, as `npm start` does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './prepare.mjs';
import { StepFailed } from './step.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = {
  'begin-faults': 'torture/begin-faults',
  outages: 'torture/outages/main',
  bench: 'bench/main',
  'dead-letters': 'care/dead-letters',
  demo: 'demo/play',
  doctor: 'care/doctor',
  evaluate: 'evaluation/main',
  footprint: 'bench/footprint/main',
  hosts: 'bench/hosts',
  keys: 'demo/keys',
  load: 'care/load',
  reconcile: 'care/reconcile',
  'rolling-restart': 'care/rolling-restart',
  sandbox: 'demo/sandbox',
  screenshots: 'browser/screenshots',
  statement: 'care/statement',
  token: 'local/token',
  torture: 'torture/main',
  trace: 'sight/trace',
};

// Whoever pipes into `head` has read enough.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? undefined : 1));

const [name] = process.argv.splice(2, 1);
const program = new URL(`../../dist/${programs[name]}.js`, import.meta.url);
const needsHelp = process.argv.includes('--help') || process.argv.includes('-h');

try {
  if (!existsSync(join(root, 'node_modules'))) throw new StepFailed('nothing is installed here yet: type  npm start');
  if (!needsHelp || !existsSync(program)) await buildIfStale(root, { isVerbose: process.env.LOG !== undefined });
} catch (error) {
  process.stderr.write(`npm run ${name}: ${error.message}\n`);
  process.exit(1);
}
await import(program.href);
