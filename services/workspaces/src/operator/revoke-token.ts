import { parseArgs } from 'node:util';
import { isId, newId, systemOrigin } from '@payroll/kernel';
import { StartError, type MainCommand } from '@payroll/process';
import { NO_WORKSPACE, revokeInternalTokens, type RevokeInternalTokens } from '../commands/internal-tokens.js';
import { ownerOf } from '../domain/internal-token.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: revoke-token --id <id> | --owner <e-mail>

Revokes a token for the internal GraphQL endpoint (list-tokens shows the ids), or all that a person holds: from the next
request on they open nothing. Prints the ids of those revoked; each leaves an audit entry.
`;

export const revokeTokenCommand: MainCommand = {
  help: 'revokes tokens for the internal GraphQL endpoint',
  usage: USAGE,
  run: async (env, args) => {
    const which = readArguments(args);
    const origin = systemOrigin(NO_WORKSPACE, 'runner', newId());
    const revoked = await withCommands(env, (commands) => commands.run(revokeInternalTokens, which, origin));
    if (revoked.length === 0)
      throw new StartError('revoke-token found none to revoke; list-tokens shows those there are');
    process.stdout.write(revoked.map((id) => `${id}\n`).join(''));
  },
};

function readArguments(args: readonly string[]): RevokeInternalTokens {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { id: text, owner: text } });
  const { id, owner } = values;
  if (id !== undefined && owner === undefined) {
    if (isId(id)) return { id };
    throw new StartError('--id is the UUID that list-tokens shows, not the token');
  }
  if (owner !== undefined && id === undefined) return { owner: ownerOf(owner) };
  throw new StartError('revoke-token needs either --id or --owner; try revoke-token --help');
}
