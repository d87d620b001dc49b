import { parseArgs } from 'node:util';
import { newInternalToken } from '@payroll/admission';
import { instantOf, newId, systemOrigin } from '@payroll/kernel';
import { StartError, type MainCommand } from '@payroll/process';
import { createInternalToken, NO_WORKSPACE } from '../commands/create-internal-token.js';
import { TEAMS } from '../domain/workspace.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: create-token --name <who> --team <${TEAMS.join('|')}> [--days <1-365>]

Mints a token for the internal GraphQL endpoint and prints it once. Send it as "Authorization: Bearer <token>" with the
header x-workspace-id, and with x-reason for every team but service. It is good for 30 days unless --days says otherwise.
The audit trail tells of it under the workspace ${NO_WORKSPACE}, which is nobody's.
`;

const DAY_MS = 86_400_000;

export const createTokenCommand: MainCommand = {
  help: 'mints a token for the internal GraphQL endpoint (--help)',
  run: async (env, args) => {
    if (args.includes('--help')) return void process.stdout.write(USAGE);
    const { name, team, days } = readArguments(args);
    const { id, hash, text } = newInternalToken();
    const expiresAt = instantOf(new Date(Date.now() + days * DAY_MS));
    await withCommands(env, async (commands) => {
      const origin = systemOrigin(NO_WORKSPACE, 'runner', newId());
      await commands.run(createInternalToken, { id, secretHash: hash, name, team, expiresAt }, origin);
    });
    process.stdout.write(`${text}\n`);
  },
};

function readArguments(args: readonly string[]): { name: string; team: (typeof TEAMS)[number]; days: number } {
  const { values } = parseArgs({
    args: [...args],
    options: { name: { type: 'string' }, team: { type: 'string' }, days: { type: 'string', default: '30' } },
  });
  const team = TEAMS.find((each) => each === values.team);
  const days = Number(values.days);
  if (!values.name) throw new StartError('create-token needs --name <who>; try create-token --help');
  if (!team) throw new StartError(`create-token needs --team, one of ${TEAMS.join(', ')}`);
  if (!Number.isInteger(days) || days < 1 || days > 365) throw new StartError('--days is a whole number from 1 to 365');
  return { name: values.name, team, days };
}
