import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { StartError, type MainCommand } from '@payroll/runtime';
import { hashNewPassword, requireGoodPassword } from '../accounts/passwords.js';
import { giveSignIn } from '../commands/members.js';
import { setAccountPassword } from '../commands/accounts.js';
import { normalizeEmail } from '../domain/account.js';
import { accountsOfEmail, membershipsWithoutAccount, workspaceNames } from '../queries/members.js';
import { operate, type Operator } from './operate.js';

export const setPasswordCommand: MainCommand = {
  help: 'sets the password of an account',
  usage: `Usage: set-password --email <address> [--email <address> …] [--workspace <id>]

Reads one password per address from stdin, one per line, and signs each account out everywhere. For people who have
forgotten their password; members with that address but no account get one. An unverified address may have several
accounts, each with its own workspaces: --workspace selects one. Verify the identity of the person who asks.
`,
  run: async (env, args) => {
    const { emails, workspaceId } = readArguments(args);
    const passwords = (await text(process.stdin)).split('\n').slice(0, emails.length);
    await operate(env, async (operator) => {
      for (const [n, email] of emails.entries()) {
        await setPassword(operator, { email, password: passwords[n] ?? '', workspaceId });
      }
    });
  },
};

async function setPassword(
  { em, run }: Operator,
  { email, password, workspaceId }: { email: string; password: string; workspaceId: string | undefined },
): Promise<void> {
  const account = await findAccount(em, email, workspaceId);
  const all = await membershipsWithoutAccount(em, email);
  const waiting = workspaceId === undefined ? all : all.filter((each) => each.workspaceId === workspaceId);
  const name = account?.name ?? waiting[0]?.name;
  if (name === undefined) throw new StartError(`--email: no member has the address ${email}`);
  const workspaces = account ? await workspaceNames(em, account.id) : [];
  requireGoodPassword({ password, repeated: password, email, name, workspaces });
  const passwordHash = await hashNewPassword(em, { password, email }, []);
  const input = { accountId: account?.id ?? null, email, name, passwordHash };
  const { accountId } = await run(setAccountPassword, input);
  for (const { workspaceId: each, membershipId } of waiting) {
    await run(giveSignIn, { membershipId, accountId }, each);
  }
}

/** Several people may have been invited with one address, or one person several times. */
export async function findAccount(em: EntityManager, email: string, workspaceId: string | undefined) {
  const found = await accountsOfEmail(em, email);
  const meant =
    workspaceId === undefined ? found : found.filter(({ workspaceIds }) => workspaceIds.includes(workspaceId));
  if (meant.length < 2) return meant[0];
  const where = meant.flatMap(({ workspaceIds }) => workspaceIds).join(', ');
  throw new StartError(`--email: ${email} has ${meant.length} accounts; say which with --workspace, one of ${where}`);
}

function readArguments(args: readonly string[]): { emails: string[]; workspaceId: string | undefined } {
  const options = { email: { type: 'string', multiple: true }, workspace: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (!values.email?.length) throw new StartError('set-password needs --email <address>; try set-password --help');
  return { emails: values.email.map(normalizeEmail), workspaceId: values.workspace };
}
