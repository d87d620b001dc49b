import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.js';
import { runningStack } from './running-stack.js';

/**
 * `npm run token [-- list|revoke]`: the workspaces service's create-token, list-tokens and revoke-token, for DATABASE_URL
 * or else for the system that runs here.
 */
const main = join(repositoryRoot, 'dist/workspaces.js');
const databaseUrl = process.env['DATABASE_URL'] ?? runningStack()?.postgres?.url;
const [first = '', ...rest] = process.argv.slice(2);
const commands: Readonly<Record<string, string>> = { list: 'list-tokens', revoke: 'revoke-token' };
const args = first in commands ? [commands[first]!, ...rest] : ['create-token', ...process.argv.slice(2)];

if (databaseUrl === undefined && !args.includes('--help')) {
  process.stderr.write('npm run token: nothing runs here: start it with  npm start, or set DATABASE_URL\n');
  process.exitCode = 1;
} else {
  const env = { ...process.env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  process.exitCode = spawnSync(process.execPath, [main, ...args], { stdio: 'inherit', env }).status ?? 1;
}
