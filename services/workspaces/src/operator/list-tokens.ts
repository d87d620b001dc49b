import { parseArgs } from 'node:util';
import type { MainCommand } from '@payroll/process';
import type { InternalToken } from '../domain/internal-token.js';
import { listInternalTokens } from '../queries/internal-tokens.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: list-tokens [--all]

Lists the tokens that open the internal GraphQL endpoint, newest first, one a line: id, team, owner, name, the day it
was made and the day it ends. With --all also those that are revoked or over. Their secrets are kept nowhere.
`;

export const listTokensCommand: MainCommand = {
  help: 'lists the tokens for the internal GraphQL endpoint',
  usage: USAGE,
  run: async (env, args) => {
    const { values } = parseArgs({ args: [...args], options: { all: { type: 'boolean', default: false } } });
    const tokens = await withCommands(env, (_commands, em) => listInternalTokens(em, values));
    process.stdout.write(tokens.map((token) => `${lineOf(token)}\n`).join(''));
  },
};

function lineOf({ id, team, owner, name, createdAt, expiresAt, revokedAt }: InternalToken): string {
  const end = revokedAt === null ? `ends ${day(expiresAt)}` : `revoked ${day(revokedAt)}`;
  return [id, team.padEnd(10), owner ?? '-', name, `made ${day(createdAt)}`, end].join('  ');
}

function day(instant: string): string {
  return instant.slice(0, 10);
}
