import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, type Origin } from '@payroll/kernel';
import { type PageResponse, Button, Form, hashSecret, isSecret, newSecret, type PageView, Time } from '@payroll/pages';
import type { ComponentChildren } from 'preact';
import { findUndoableAddress, findClosing, STOP_PATHS, findFactorReset } from '../../accounts/links.js';
import { unknownPassword } from '../../accounts/passwords.js';
import { keepAccount } from '../../commands/accounts.js';
import { restoreAddress } from '../../commands/own-address.js';
import { keepSecondFactor } from '../../commands/second-factor.js';
import { sendWhilePageWaits } from '../../mail/mailer.js';
import { resetMail } from '../../mail/texts.js';
import { type AccountContext, formPage, type RouteTable } from '../account-context.js';
import { holderOrigin } from './account.js';

interface Holder {
  id: string;
  email: string;
  name: string;
}

interface Stop<Found extends Holder> {
  /** The change that the link stops; null if it is stopped already, has taken effect or never existed. */
  find: (em: EntityManager, stopHash: string) => Promise<Found | null>;
  view: (found: Found) => { title: string; lead: ComponentChildren; button: string };
  send: (found: Found, ctx: AccountContext, by: { stopHash: string; origin: Origin }) => Promise<PageResponse>;
  over: string;
}

/** The page of a mailed link that stops a change of an account. A button, because mail programs open links. */
function stopPage<Found extends Holder>(path: string, { find, view, send, over }: Stop<Found>): RouteTable {
  const overPage: PageView = {
    title: 'This link is no longer open',
    status: 404,
    lead: over,
    body: (
      <p>
        <a href="/account">Look at your account</a>
      </p>
    ),
  };
  return formPage(`${path}:secret`, {
    load: async (ctx) => {
      const secret = ctx.param('secret');
      return { found: isSecret(secret) ? await find(ctx.web.em, hashSecret(secret)) : null };
    },
    view: ({ found }) => {
      if (!found) return overPage;
      const { button, ...page } = view(found);
      const body = (
        <Form>
          <Button>{button}</Button>
        </Form>
      );
      return { ...page, body };
    },
    submit: async ({ found }, ctx) => {
      if (!found) return overPage;
      const by = { stopHash: hashSecret(ctx.param('secret')), origin: holderOrigin(found, ctx.request.id) };
      try {
        return await send(found, ctx, by);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'NOT_FOUND') return overPage;
        throw error;
      }
    },
  });
}

const keepFactor = stopPage('/keep-second-factor/', {
  find: findFactorReset,
  view: ({ name, email, resetAt }) => ({
    title: 'Keep your second factor?',
    lead: (
      <>
        The second factor of {name} ({email}) will be removed <Time at={resetAt} />, because the operator was told that
        it is lost.
      </>
    ),
    button: 'Keep the second factor',
  }),
  send: async ({ id: accountId }, ctx, { stopHash, origin }) => {
    await ctx.web.commands.run(keepSecondFactor, { accountId, stopHash }, origin);
    return { to: '/sign-in', notice: 'Your second factor stays. Sign in and change your password.' };
  },
  over: 'The second factor was kept already, or it has been removed.',
});

const keepOwnAccount = stopPage(STOP_PATHS.closing_requested, {
  find: findClosing,
  view: ({ name, email, closesAt }) => ({
    title: 'Keep your account?',
    lead: (
      <>
        The account of {name} ({email}) will be closed <Time at={closesAt} />.
      </>
    ),
    button: 'Keep the account',
  }),
  send: async ({ id: accountId }, ctx, { origin }) => {
    await ctx.web.commands.run(keepAccount, { accountId }, origin);
    const notice = 'Your account stays. If it was not you who closed it, sign in and change your password.';
    return { to: '/sign-in', notice };
  },
  over: 'The account was kept already, or it has been closed.',
});

/** Does not show the present address: its owner may have left a mailbox that another person reads. */
const restoreOwnAddress = stopPage(STOP_PATHS.address_changed, {
  find: findUndoableAddress,
  view: ({ name, email, changedAt }) => ({
    title: 'Take your account back?',
    lead: (
      <>
        The account of {name} got another e-mail address in place of {email} <Time at={changedAt} />. If it was not you,
        restore yours. Everybody is signed out, assistants are disconnected, the present password ends, and we mail you
        a link for a new one. A second factor stays. API keys stay: revoke any that you do not recognize.
      </>
    ),
    button: 'Restore the address',
  }),
  send: async ({ id: accountId, email }, ctx, { stopHash, origin }) => {
    const { commands, settings, mailer } = ctx.web;
    const secret = newSecret();
    const input = { accountId, stopHash, passwordHash: unknownPassword(), resetHash: hashSecret(secret) };
    await commands.run(restoreAddress, input, origin);
    ctx.signOut();
    const link = `${settings.origin}/reset-password/${secret}`;
    const isSent = mailer !== null && (await sendWhilePageWaits(mailer, resetMail(email, [{ workspaces: [], link }])));
    return isSent
      ? { to: '/sign-in', notice: 'Your address is restored. A link for a new password is on its way to it.' }
      : { to: '/forgot-password', notice: 'Your address is restored. Request a link for a new password here.' };
  },
  over: 'The address was restored already, or it was changed more than seven days ago.',
});

export const stopLinkPages: RouteTable = { ...keepFactor, ...keepOwnAccount, ...restoreOwnAddress };
