import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, systemOrigin } from '@payroll/kernel';
import { StartError, type MainCommand } from '@payroll/process';
import type { CommandRunner } from '@payroll/store';
import { readNewPassword } from '../accounts/new-password.js';
import { NO_WORKSPACE } from '../commands/create-internal-token.js';
import { giveSignIn } from '../commands/give-sign-in.js';
import { setAccountPassword } from '../commands/set-account-password.js';
import { normalizeEmail } from '../domain/account.js';
import { findAccountName } from '../queries/find-account-name.js';
import { membershipsWithoutAccount } from '../queries/memberships-without-account.js';
import { withCommands } from './with-commands.js';

const USAGE = `Usage: set-password --email <address> [--email <address> …]

Reads one password per address from stdin, a line each, and signs each account out everywhere. For who has forgotten it;
members of that address who have no account yet get one. Make sure that who asks is who they say they are.
`;

export const setPasswordCommand: MainCommand = {
  help: 'sets the password of an account',
  usage: USAGE,
  run: async (env, args) => {
    const emails = readEmails(args);
    const passwords = (await text(process.stdin)).split('\n').slice(0, emails.length);
    await withCommands(env, async (commands, em) => {
      for (const [n, email] of emails.entries()) await setPassword(commands, em, email, passwords[n] ?? '');
    });
  },
};

async function setPassword(commands: CommandRunner, em: EntityManager, email: string, password: string): Promise<void> {
  const waiting = await membershipsWithoutAccount(em, email);
  const name = (await findAccountName(em, email)) ?? waiting[0]?.name;
  if (name === undefined) throw new StartError(`--email: nobody here has the address ${email}`);
  const passwordHash = await readNewPassword({ password, repeated: password }, [email, name]);
  const account = { email, name, passwordHash };
  const requestId = newId();
  const { accountId } = await commands.run(
    setAccountPassword,
    account,
    systemOrigin(NO_WORKSPACE, 'runner', requestId),
  );
  for (const { workspaceId, membershipId } of waiting) {
    await commands.run(giveSignIn, { membershipId, accountId }, systemOrigin(workspaceId, 'runner', requestId));
  }
}

function readEmails(args: readonly string[]): string[] {
  const { values } = parseArgs({ args: [...args], options: { email: { type: 'string', multiple: true } } });
  if (!values.email?.length) throw new StartError('set-password needs --email <address>; try set-password --help');
  return values.email.map(normalizeEmail);
}
