// Entry file of the commands that a build creates: rebuilds what has changed since the last build, as `npm start` does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './prepare.mjs';
import { StepFailed } from './step.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The reader of a pipe, such as `head`, may close it early.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? undefined : 1));

/** For example `tools/demo/keys`, from the scripts of package.json. */
const [source] = process.argv.splice(2, 1);
const program = new URL(`../../${source.replace('/', '/dist/')}.js`, import.meta.url);
const needsHelp = process.argv.includes('--help') || process.argv.includes('-h');

try {
  if (!existsSync(join(root, 'node_modules'))) throw new StepFailed('nothing is installed here yet: type  npm start');
  if (!needsHelp || !existsSync(program)) await buildIfStale(root, { isVerbose: process.env.LOG !== undefined });
} catch (error) {
  process.stderr.write(`npm run ${process.env.npm_lifecycle_event ?? source}: ${error.message}\n`);
  process.exit(1);
}
await import(program.href);
