import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, isEmail, isId } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';
import { createLog, type MainCommand, readSettings, StartError } from '@payroll/runtime';
import { hashNewPassword, requireGoodPassword } from '../accounts/passwords.js';
import { linkAccount } from '../commands/members.js';
import { setAccountPassword } from '../commands/accounts.js';
import { normalizeEmail } from '../domain/account.js';
import { accountsOfEmail, membershipsWithoutAccount, workspaceNames } from '../queries/members.js';
import { SecondFactors } from '../accounts/second-factor.js';
import { RESET_HOURS, resetSecondFactor } from '../commands/second-factor.js';
import { mailSettings } from '../config.js';
import { Mailer } from '../mail/mailer.js';
import { secondFactorResetMail } from '../mail/texts.js';
import { giveWorkerAccess } from '../commands/worker-access.js';
import { operate, type Operator, sentenceOf } from './operate.js';

export const setPasswordCommand: MainCommand = {
  help: 'sets the password of an account',
  usage: `Usage: set-password --email <address> [--email <address> …] [--workspace <id>]

Reads one password per address from stdin, one per line, and signs each account out everywhere. For people who have
forgotten their password; members with that address but no account get one. An unverified address may have several
accounts, each with its own workspaces: --workspace selects one. Verify the identity of the person who asks.
`,
  run: async (env, args) => {
    const { emails, workspaceId } = readPasswordOrder(args);
    const passwords = (await text(process.stdin)).split('\n').slice(0, emails.length);
    await operate(env, async (operator) => {
      const all = [];
      for (const [n, email] of emails.entries()) {
        all.push(await checkNewPassword(operator, { email, password: passwords[n] ?? '', workspaceId }));
      }
      // Only then: where one is refused, no password is changed.
      for (const each of all) await setPassword(operator, each);
    });
  },
};

async function checkNewPassword(
  { em }: Operator,
  { email, password, workspaceId }: { email: string; password: string; workspaceId: string | undefined },
) {
  const account = await findAccount(em, email, workspaceId);
  const all = await membershipsWithoutAccount(em, email);
  const waiting = workspaceId === undefined ? all : all.filter((each) => each.workspaceId === workspaceId);
  const name = account?.name ?? waiting[0]?.name;
  if (name === undefined) throw new StartError(`--email: no account or member has the address ${email}`);
  const workspaces = account ? await workspaceNames(em, account.id) : [];
  try {
    requireGoodPassword({ password, repeated: password, email, name, workspaces });
  } catch (error) {
    throw error instanceof DomainError ? new StartError(`${email}: ${sentenceOf(error)}`) : error;
  }
  const passwordHash = await hashNewPassword(em, { password, email }, []);
  return { waiting, account: { accountId: account?.id ?? null, email, name, passwordHash } };
}

async function setPassword(
  { run }: Operator,
  { waiting, account }: Awaited<ReturnType<typeof checkNewPassword>>,
): Promise<void> {
  const { accountId } = await run(setAccountPassword, account);
  for (const { workspaceId, membershipId } of waiting) await run(linkAccount, { membershipId, accountId }, workspaceId);
}

/** Several people may have been invited with one address, or one person several times. */
async function findAccount(em: EntityManager, email: string, workspaceId: string | undefined) {
  const found = await accountsOfEmail(em, email);
  const meant =
    workspaceId === undefined ? found : found.filter(({ workspaceIds }) => workspaceIds.includes(workspaceId));
  if (meant.length < 2) return meant[0];
  const where = meant.flatMap(({ workspaceIds }) => workspaceIds).join(', ');
  throw new StartError(`--email: ${email} has ${meant.length} accounts; say which with --workspace, one of ${where}`);
}

function readPasswordOrder(args: readonly string[]): { emails: string[]; workspaceId: string | undefined } {
  const options = { email: { type: 'string', multiple: true }, workspace: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (!values.email?.length) throw new StartError('set-password needs --email <address>; try set-password --help');
  return { emails: values.email.map(normalizeEmail), workspaceId: values.workspace };
}

export const resetSecondFactorCommand: MainCommand = {
  help: 'removes a lost second factor after a day',
  usage: `Usage: reset-second-factor --email <address> [--workspace <id>]

For people who have lost their phone and their recovery codes. Sends a mail at once, with a link that stops it; after
${RESET_HOURS} hours the password alone signs in. Verify the identity of the person who asks. An unverified address may have
several accounts, each with its own workspaces: --workspace selects one.
`,
  run: async (env, args) => {
    const { email, workspaceId } = readReset(args);
    const { appUrl, mail } = readSettings(env, (s) => ({
      appUrl: s.url('APP_URL', ['http:', 'https:']),
      mail: mailSettings(s),
    }));
    using mailer = mail && new Mailer(mail, createLog('workspaces', 'error'));
    const secret = newSecret();
    const link = `${new URL(appUrl).origin}/keep-second-factor/${secret}`;
    await operate(env, async ({ em, run }) => {
      const account = await findAccount(em, email, workspaceId);
      const accountId = account?.id;
      const factor = accountId ? await new SecondFactors(em, []).find({ accountId, knownDevice: null }) : null;
      if (!accountId || !factor) {
        throw new StartError(`--email: no account with a second factor has the address ${email}`);
      }
      // A second link would end the first one, whose reader would believe that the factor is kept.
      if (factor.resetAt !== null) {
        throw new StartError(`it is removed at ${factor.resetAt} already, and its owner has a link that stops it`);
      }
      // First, because a reset without a mail could not be stopped.
      if (mailer && !(await mailer.send(secondFactorResetMail(email, link)))) {
        throw new StartError('the SMTP server did not take the mail to the owner, so nothing will be removed');
      }
      await run(resetSecondFactor, { accountId, stopHash: hashSecret(secret) });
    });
    process.stdout.write(
      mailer
        ? `A mail is sent to ${email}. The second factor is removed in ${RESET_HOURS} hours.\n`
        : `This deployment sends no mail, so tell the owner. This link stops it within ${RESET_HOURS} hours:\n${link}\n`,
    );
  },
};

function readReset(args: readonly string[]): { email: string; workspaceId: string | undefined } {
  const text = { type: 'string' } as const;
  const { email, workspace: workspaceId } = parseArgs({
    args: [...args],
    options: { email: text, workspace: text },
  }).values;
  if (!email) throw new StartError('reset-second-factor needs --email <address>; try reset-second-factor --help');
  return { email: normalizeEmail(email), workspaceId };
}

export const giveWorkerAccessCommand: MainCommand = {
  help: 'gives a worker an account of their own',
  usage: `Usage: give-worker-access --workspace <id> --worker <id> --name <who> --email <address>

Reads a password from stdin and makes an account with which the worker reads and signs their contracts. For workers who
cannot get the invitation by mail. Verify the identity of the person who asks: who has the account signs as the worker.
`,
  run: async (env, args) => {
    const { workspaceId, workerId, name, email } = readWorker(args);
    const password = (await text(process.stdin)).split('\n')[0]!;
    await operate(env, async ({ em, run }) => {
      requireGoodPassword({ password, repeated: password, email, name, workspaces: [] });
      const passwordHash = await hashNewPassword(em, { password, email }, []);
      await run(giveWorkerAccess, { workerId, email, name, passwordHash }, workspaceId);
    });
  },
};

function readWorker(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const options = { workspace: option, worker: option, name: option, email: option };
  const { workspace: workspaceId, worker: workerId, name, email } = parseArgs({ args: [...args], options }).values;
  if (!isId(workspaceId) || !isId(workerId) || !name || !email) {
    throw new StartError(
      'give-worker-access needs --workspace <id>, --worker <id>, --name and --email; try give-worker-access --help',
    );
  }
  const normalized = normalizeEmail(email);
  if (!isEmail(normalized)) throw new StartError(`--email: ${email} is not an email address such as ada@example.com`);
  return { workspaceId, workerId, name, email: normalized };
}
