// Entry file of `npm test`: runs on any Node >= 20 with nothing installed, prepares the repository, then starts the tests.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { handOver, StepFailed } from './step.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);

const help = `npm test [-- <part of a path> ...] [-- --project unit|service|system] [-- <option of vitest> ...]

Installs what is missing, builds what is out of date and runs the tests, or those named, on the pinned Node.
Postgres and NATS are started for those that need them, on free ports, and are gone afterwards.

  --project unit     decisions: src/**/*.test.ts, nothing outside the process, no build needed
  --project service  one part with a real Postgres and NATS: */test/
  --project system   every process at once: tests/system/, tests/e2e/, tests/fuzz/
  --watch            runs again what a change touches
`;

/** Every response of every process is checked against the public contract. */
process.env.RESPONSE_CHECK_RATIO ??= '1';

async function main() {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(help);
  // Whole-system runs use the built processes, and the code that starts Postgres and NATS uses built packages.
  const isUnit = /--project[= ]unit(?! .*--project)/.test(args.join(' '));
  await prepare(root, { isVerbose: process.env.LOG !== undefined, needsBackends: !isUnit, needsBuild: !isUnit });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const mode = args.includes('--watch') ? [] : ['--run'];
  process.exitCode = await handOver(root, [vitest, ...mode, '--config', 'tests/vitest.config.ts', ...args]).ended;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm test: ${error.message}\n`);
  if (!(error instanceof StepFailed)) console.error(error);
  process.exitCode = 1;
}
