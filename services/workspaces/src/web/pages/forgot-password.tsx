import { randomInt } from 'node:crypto';
import { DomainError, errorForLog } from '@payroll/kernel';
import { Button, Field, Form, hashSecret, isSecret, type Page, textOf } from '@payroll/pages';
import { hashNewPassword, requireGoodPassword } from '../../accounts/passwords.js';
import { beginResets, findReset, type OpenReset } from '../../accounts/resets.js';
import { sharersOf } from '../../accounts/sign-in.js';
import { beginAttempt, forgiveAttempt } from '../../accounts/throttle.js';
import { resetPassword } from '../../commands/accounts.js';
import { normalizeEmail } from '../../domain/account.js';
import { workspaceNames } from '../../queries/members.js';
import { resetMail } from '../../mail/texts.js';
import type { OwnExchange } from '../exchange.js';
import { NewPasswordFields, PASSWORD_WORDING } from '../password-fields.js';
import { formPage, type RouteTable } from '../routes.js';
import { holderOrigin } from './account.js';

/** Shows the same page in the same time for every address, so as not to reveal whether an account exists. */
const forgotPassword = formPage('/forgot-password', {
  enter: (at) => Promise.resolve({ email: textOf(at, 'email'), sendsMail: at.web.mailer !== null }),
  view: ({ email, sendsMail }) => ({
    title: 'Forgot your password?',
    ...(sendsMail
      ? {
          lead: 'We will email you a link to set a new password.',
          body: (
            <Form>
              <Field name="email" label="E-mail address" type="email" value={email} autocomplete="username" />
              <Button>Send the link</Button>
            </Form>
          ),
        }
      : {
          lead: 'This service does not send mail. Its operator can set a new password for you.',
          body: <BackToSignIn />,
        }),
  }),
  send: async ({ email }, at) => {
    const to = normalizeEmail(email);
    await beginAttempt(at.web.em, [
      { kind: 'mail-from', name: at.request.ip },
      { kind: 'mail-to', name: to },
    ]);
    // Send in the background after a random delay: the time of this or the next answer would reveal whether there is
    // an account.
    setTimeout(() => void sendResets(at, to), randomInt(SOONEST_MS, LATEST_MS)).unref();
    return SENT;
  },
});

/**
 * Long enough that the mail is not prepared while the answer is sent, short enough not to keep the person waiting.
 */
const [SOONEST_MS, LATEST_MS] = [300, 1_500];

async function sendResets({ web: { em, mailer, settings, log } }: OwnExchange, to: string): Promise<void> {
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

const SENT: Page = {
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
  enter: async (at) => {
    const secret = at.param('secret');
    return { reset: isSecret(secret) ? await findReset(at.web.em, hashSecret(secret)) : null };
  },
  view: ({ reset }) => (reset ? choosePage(reset) : OVER),
  send: async ({ reset }, at) => (reset ? await choose(at, reset) : OVER),
});

function choosePage({ email, name }: OpenReset): Page {
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

async function choose(at: OwnExchange, reset: OpenReset) {
  const { em, commands } = at.web;
  const { id: accountId, email, name } = reset;
  const workspaces = await workspaceNames(em, accountId);
  const chosen = { password: textOf(at, 'password'), repeated: textOf(at, 'repeated'), email, name, workspaces };
  requireGoodPassword(chosen);
  const { ip: address } = at.request;
  const counted = [{ kind: 'address', name: address }] as const;
  await beginAttempt(em, counted);
  const passwordHash = await hashNewPassword(em, chosen, sharersOf({ address, email }));
  const secretHash = hashSecret(at.param('secret'));
  const input = { accountId, secretHash, passwordHash };
  try {
    await commands.run(resetPassword, input, holderOrigin(reset, at.request.id));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return OVER;
    throw error;
  }
  await forgiveAttempt(em, counted);
  at.signOut();
  // Mark the browser as known, so that other people's wrong passwords, which count for the account, do not lock out
  // its owner.
  await at.rememberBrowser(accountId);
  return { to: '/sign-in', notice: 'Your password is set. Sign in with it.' };
}

const OVER: Page = {
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
