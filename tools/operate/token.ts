import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { StartError } from '@payroll/runtime';
import { TEAMS } from '@payroll/kernel';
import { environmentBeside, runningStack } from '../local/stack-file.js';
import { repositoryRoot } from '@payroll/infra/processes';
import { runCommand } from '../cli.js';

const USAGE = `Usage: npm run token -- --team <team> --owner <email> [--days <n>] [--name <what for>]
       npm run token -- list [--all]
       npm run token -- revoke --id <id> | --owner <email>

Makes a token for the internal GraphQL endpoint and prints it, this once; lists those there are, with their ids; revokes one,
or all that a person holds. What a team may ask stands beside each field in the schema. Teams: ${TEAMS.join(', ')}.
It is for the system that npm start runs; in one that docker-compose runs:  docker-compose run --rm operator create-token --help

  DATABASE_URL   another database instead, as its role workspaces
`;

const commands: Readonly<Record<string, string>> = { list: 'list-tokens', revoke: 'revoke-token' };

function readCommand([first = '', ...rest]: readonly string[]): readonly string[] {
  if (first === '') throw new Error('whose token, for which team?');
  return first in commands ? [commands[first]!, ...rest] : ['create-token', first, ...rest];
}

function environment(): NodeJS.ProcessEnv {
  if (process.env['DATABASE_URL']) return process.env;
  const { postgres, nats } = runningStack() ?? {};
  if (!postgres || !nats) throw new StartError('nothing runs here: start it with  npm start, or set DATABASE_URL');
  return environmentBeside({ postgres, nats }, 'workspaces');
}

await runCommand('token', {
  usage: USAGE,
  read: readCommand,
  run: async (command) => {
    const args = [join(repositoryRoot, 'dist/workspaces.js'), ...command];
    process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env: environment() }).status ?? 1;
  },
});
