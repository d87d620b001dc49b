import { text } from 'node:stream/consumers';
import { idOfApiKey } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { StartError, type MainCommand } from '@payroll/runtime';
import { revokeApiKey } from '../commands/api-keys.js';
import { workspaceOfKey } from '../queries/credentials.js';
import { operate } from './operate.js';

export const revokeKeyCommand: MainCommand = {
  help: 'revokes API keys',
  usage: `Usage: revoke-key

Reads API keys, or their ids, from stdin, one per line, and revokes them from the next request on. For leaked keys when no
admin can revoke them on the page: it needs only the database. Prints the id of each; each gets an audit entry in its
workspace.
`,
  run: async (env) => {
    const lines = (await text(process.stdin)).split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0)
      throw new StartError('revoke-key reads keys or their ids from stdin; try revoke-key --help');
    await operate(env, async ({ em, run }) => {
      for (const [n, line] of lines.entries()) {
        const id = idIn(line.trim());
        const workspaceId = id === null ? null : await workspaceOfKey(em, id);
        // Do not print the line: it may be a secret.
        if (id === null || workspaceId === null)
          throw new StartError(`line ${n + 1} is not a key of this installation`);
        await run(revokeApiKey, { id }, workspaceId);
        process.stdout.write(`${id}\n`);
      }
    });
  },
};

function idIn(line: string): string | null {
  return idOfApiKey(line) ?? (isId(line) ? line : null);
}
