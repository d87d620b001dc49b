import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { isId } from '@payroll/kernel';
import { type MainCommand, StartError } from '@payroll/runtime';
import { hashNewPassword, requireGoodPassword } from '../accounts/passwords.js';
import { setAccountPassword } from '../commands/accounts.js';
import { giveWorkerAccess } from '../commands/worker-access.js';
import { normalizeEmail } from '../domain/account.js';
import { operate } from './operate.js';

export const giveWorkerAccessCommand: MainCommand = {
  help: 'gives a worker an account of their own',
  usage: `Usage: give-worker-access --workspace <id> --worker <id> --name <who> --email <address>

Reads a password from stdin and makes an account with which the worker reads and signs their contracts. For workers who
cannot get the invitation by mail. Verify the identity of the person who asks: who has the account signs as the worker.
`,
  run: async (env, args) => {
    const { workspaceId, workerId, name, email } = readArguments(args);
    const password = (await text(process.stdin)).split('\n')[0]!;
    await operate(env, async ({ em, run }) => {
      requireGoodPassword({ password, repeated: password, email, name, workspaces: [] });
      const passwordHash = await hashNewPassword(em, { password, email }, []);
      const { accountId } = await run(setAccountPassword, { accountId: null, email, name, passwordHash });
      await run(giveWorkerAccess, { workerId, accountId }, workspaceId);
    });
  },
};

function readArguments(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const options = { workspace: option, worker: option, name: option, email: option };
  const { workspace: workspaceId, worker: workerId, name, email } = parseArgs({ args: [...args], options }).values;
  if (!isId(workspaceId) || !isId(workerId) || !name || !email) {
    throw new StartError(
      'give-worker-access needs --workspace <id>, --worker <id>, --name and --email; try give-worker-access --help',
    );
  }
  return { workspaceId, workerId, name, email: normalizeEmail(email) };
}
