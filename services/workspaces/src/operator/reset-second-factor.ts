import { parseArgs } from 'node:util';
import { hashSecret, newSecret } from '@payroll/pages';
import { createLog, readSettings, StartError, type MainCommand } from '@payroll/runtime';
import { SecondFactors } from '../accounts/second-factor.js';
import { resetSecondFactor, RESET_HOURS } from '../commands/second-factor.js';
import { mailSettings } from '../config.js';
import { normalizeEmail } from '../domain/account.js';
import { Mailer } from '../mail/mailer.js';
import { secondFactorResetMail } from '../mail/texts.js';
import { operate } from './operate.js';
import { findAccount } from './set-password.js';

export const resetSecondFactorCommand: MainCommand = {
  help: 'removes a lost second factor after a day',
  usage: `Usage: reset-second-factor --email <address> [--workspace <id>]

For people who have lost their phone and their recovery codes. Sends a mail at once, with a link that stops it; after
${RESET_HOURS} hours the password alone signs in. Verify the identity of the person who asks. An unverified address may have
several accounts, each with its own workspaces: --workspace selects one.
`,
  run: async (env, args) => {
    const { email, workspaceId } = readArguments(args);
    const { origin, mail } = readSettings(env, (s) => ({
      origin: new URL(s.url('APP_URL', ['http:', 'https:'])).origin,
      mail: mailSettings(s),
    }));
    using mailer = mail && new Mailer(mail, createLog('workspaces', 'error'));
    const secret = newSecret();
    const link = `${origin}/keep-second-factor/${secret}`;
    await operate(env, async ({ em, run }) => {
      const account = await findAccount(em, email, workspaceId);
      const accountId = account?.id;
      if (!accountId || !(await new SecondFactors(em, []).find({ accountId, knownDevice: null }))) {
        throw new StartError(`--email: no account with a second factor has the address ${email}`);
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

function readArguments(args: readonly string[]): { email: string; workspaceId: string | undefined } {
  const text = { type: 'string' } as const;
  const { email, workspace: workspaceId } = parseArgs({
    args: [...args],
    options: { email: text, workspace: text },
  }).values;
  if (!email) throw new StartError('reset-second-factor needs --email <address>; try reset-second-factor --help');
  return { email: normalizeEmail(email), workspaceId };
}
