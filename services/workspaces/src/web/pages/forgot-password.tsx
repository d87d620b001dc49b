import { randomInt } from 'node:crypto';
import { isDomainError, errorForLog } from '@payroll/kernel';
import { Button, Field, Form, hashSecret, type PageView, textOf } from '@payroll/pages';
import { hashNewPassword, requireGoodPassword } from '../../accounts/passwords.js';
import { beginResets, findReset, type OpenReset } from '../../accounts/links.js';
import { sharersOf } from '../../accounts/sign-in.js';
import { countAttempt, refundAttempt } from '../../accounts/throttle.js';
import { resetPassword } from '../../commands/accounts.js';
import { normalizeEmail } from '../../domain/account.js';
import { workspaceNames } from '../../queries/members.js';
import { resetMail } from '../../mail/texts.js';
import { type AccountContext, formPage, type RouteTable } from '../account-context.js';
import { NewPasswordFields, PASSWORD_WORDING } from '../secret-fields.js';
import { holderOrigin } from './account.js';

/** Shows the same page in the same time for every address, so as not to reveal whether an account exists. */
const forgotPassword = formPage('/forgot-password', {
  load: (ctx) => Promise.resolve({ email: textOf(ctx, 'email'), sendsMail: ctx.web.mailer !== null }),
  view: ({ email, sendsMail }) => ({
    title: 'Forgot your password?',
    ...(sendsMail
      ? {
          lead: 'We will email you a link to set a new password.',
          body: (
            <>
              <Form>
                <Field name="email" label="Email address" type="email" value={email} autocomplete="username" />
                <Button>Send the link</Button>
              </Form>
              <BackToSignIn />
            </>
          ),
        }
      : {
          lead: 'This service does not send mail. Its operator can set a new password for you.',
          body: <BackToSignIn />,
        }),
  }),
  submit: async ({ email }, ctx) => {
    const to = normalizeEmail(email);
    await countAttempt(ctx.web.em, [
      { kind: 'mail-from', name: ctx.request.ip },
      { kind: 'mail-to', name: to },
    ]);
    // Send in the background after a random delay: the time of this or the next answer would reveal whether there is
    // an account.
    setTimeout(() => void sendResets(ctx, to), randomInt(SOONEST_MS, LATEST_MS)).unref();
    return SENT;
  },
});

/**
 * Long enough that the mail is not prepared while the answer is sent, short enough not to keep the person waiting.
 */
const [SOONEST_MS, LATEST_MS] = [300, 1_500];

async function sendResets({ web: { em, mailer, settings, log } }: AccountContext, to: string): Promise<void> {
  try {
    const resets = await beginResets(em, to);
    const links = resets.map(({ workspaces, secret }) => ({
      workspaces,
      link: `${settings.origin}/reset-password/${secret}`,
    }));
    if (links.length > 0) await mailer?.send(resetMail(to, links));
  } catch (error) {
    log.error({ error: errorForLog(error) }, 'Sending a password reset link failed');
  }
}

const SENT: PageView = {
  title: 'Check your email',
  lead: 'If there is an account with this address, a link is on its way to it. It is valid for half an hour.',
  body: (
    <>
      <p>No email? Check your spam folder, or try again in a few minutes.</p>
      <BackToSignIn />
    </>
  ),
};

/** The page of the mailed link; viewing it does not use up the link. */
const resetOwnPassword = formPage('/reset-password/:secret', {
  wording: PASSWORD_WORDING,
  load: async (ctx) => ({ reset: await findReset(ctx.web.em, hashSecret(ctx.param('secret'))) }),
  view: ({ reset }) => (reset ? choosePage(reset) : OVER),
  submit: async ({ reset }, ctx) => (reset ? await choose(ctx, reset) : OVER),
});

function choosePage({ email, name }: OpenReset): PageView {
  return {
    title: 'Choose a new password',
    lead: `For ${name} (${email}). This signs you out everywhere and disconnects your assistants.`,
    body: (
      <Form>
        <input type="text" name="username" value={email} autocomplete="username" hidden readOnly />
        <NewPasswordFields />
        <Button>Set the password</Button>
      </Form>
    ),
  };
}

async function choose(ctx: AccountContext, reset: OpenReset) {
  const { em, commands } = ctx.web;
  const { id: accountId, email, name } = reset;
  const workspaces = await workspaceNames(em, accountId);
  const chosen = { password: textOf(ctx, 'password'), repeated: textOf(ctx, 'repeated'), email, name, workspaces };
  requireGoodPassword(chosen);
  const { ip: address } = ctx.request;
  const counted = [{ kind: 'address', name: address }] as const;
  await countAttempt(em, counted);
  const passwordHash = await hashNewPassword(em, chosen, sharersOf({ address, email }));
  const secretHash = hashSecret(ctx.param('secret'));
  const input = { accountId, secretHash, passwordHash };
  try {
    await commands.run(resetPassword, input, holderOrigin(reset, ctx.request.id));
  } catch (error) {
    if (isDomainError(error, 'NOT_FOUND')) return OVER;
    throw error;
  }
  await refundAttempt(em, counted);
  ctx.signOut();
  // Mark the browser as known, so that other people's wrong passwords, which count for the account, do not lock out
  // its owner.
  await ctx.rememberBrowser(accountId);
  return { to: '/sign-in', notice: 'Your password is set. Sign in with it.' };
}

const OVER: PageView = {
  title: 'This link is no longer open',
  status: 404,
  lead: 'It has been used or is older than half an hour.',
  body: (
    <p>
      <a href="/forgot-password">Request another one</a>, or <a href="/sign-in">sign in</a>.
    </p>
  ),
};

function BackToSignIn() {
  return (
    <p>
      <a href="/sign-in">Back to sign-in</a>
    </p>
  );
}

export const forgotPasswordPages: RouteTable = { ...forgotPassword, ...resetOwnPassword };
