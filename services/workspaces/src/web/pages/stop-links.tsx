import type { EntityManager } from '@mikro-orm/postgresql';
import { isDomainError, type Origin } from '@payroll/kernel';
import { type PageResponse, Button, Form, hashSecret, newSecret, type PageView, Time } from '@payroll/pages';
import type { ComponentChildren } from 'preact';
import {
  findUndoableAddress,
  findClosing,
  STOP_PATHS,
  findFactorReset,
  findPayoutStop,
  type PayoutStop,
} from '../../accounts/links.js';
import { unknownPassword } from '../../accounts/passwords.js';
import { keepAccount } from '../../commands/accounts.js';
import { restoreAddress } from '../../commands/own-address.js';
import { keepSecondFactor } from '../../commands/second-factor.js';
import { sendWhilePageWaits } from '../../mail/mailer.js';
import { restoredMail } from '../../mail/texts.js';
import { type AccountContext, formPage, type RouteTable } from '../account-context.js';
import { holderOrigin } from './account.js';
import { ask, PAYOUT_CHANGE_QUESTION, type PayoutChangeState } from '@payroll/events';
import { stopPayoutChange } from '../../commands/notices.js';

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
    load: async (ctx) => ({ found: await find(ctx.web.em, hashSecret(ctx.param('secret'))) }),
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
        if (isDomainError(error, 'NOT_FOUND')) return overPage;
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
        The account of {name} got another email address in place of {email} <Time at={changedAt} />. If it was not you,
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
    const isSent = mailer !== null && (await sendWhilePageWaits(mailer, restoredMail(email, link)));
    return isSent
      ? { to: '/sign-in', notice: 'Your address is restored. A link for a new password is on its way to it.' }
      : { to: '/forgot-password', notice: 'Your address is restored. Request a link for a new password here.' };
  },
  over: 'The address was restored already, or it was changed more than seven days ago.',
});

/** Payments takes up to 2 s to fetch the event. */
const TIMEOUT_MS = 3_000;

/**
 * The page of the mailed link that stops a change of payout details. A button, because mail programs open links. Needs no
 * sign-in, because a thief of the session may have changed the password.
 */
const stopPayoutChangePage = formPage(`${STOP_PATHS.payout_details_changed}:secret`, {
  load: async (ctx) => {
    const stop = await findPayoutStop(ctx.web.em, hashSecret(ctx.param('secret')));
    return { stop, state: stop && (await stateOf(ctx, stop)) };
  },
  view: ({ stop, state }) => pageOf(stop, state),
  submit: async ({ stop, state }, ctx) => {
    if (stop === null || state === 'over' || state === 'stopped') return pageOf(stop, state);
    const { accountId, changeId } = stop;
    // One operation for all links and presses, so that a later one does not end a new password.
    const holder = holderOrigin({ id: accountId, email: stop.email }, ctx.request.id, stop.workspaceId);
    await ctx.web.commands.run(stopPayoutChange, { accountId, changeId }, { ...holder, operationId: changeId });
    const after = await stateOf(ctx, stop);
    if (after === 'over' || after === 'stopped') return pageOf(stop, after);
    return { ...askPage(stop), status: 503, problems: [NOT_YET] };
  },
});

export const stopLinkPages: RouteTable = {
  ...keepFactor,
  ...keepOwnAccount,
  ...restoreOwnAddress,
  ...stopPayoutChangePage,
};

const NOT_YET = {
  field: null,
  message:
    'The change is not stopped yet, because a part of the service cannot be reached. You are signed out everywhere. Press the button again in a minute, until this page says that the change is stopped',
};

/** Null if payments cannot be reached. */
async function stateOf(
  { web }: AccountContext,
  { workspaceId, changeId }: PayoutStop,
): Promise<PayoutChangeState | null> {
  const asked = ask(web.bus, PAYOUT_CHANGE_QUESTION, { workspaceId, changeId }, TIMEOUT_MS);
  return await asked.then(
    ({ state }) => state,
    () => null,
  );
}

function pageOf(stop: PayoutStop | null, state: PayoutChangeState | null): PageView {
  if (stop === null || state === 'over') return PAYOUT_CHANGE_OVER;
  return state === 'stopped' ? stoppedPage(stop) : askPage(stop);
}

function askPage({ workspaceName, until }: PayoutStop): PageView {
  return {
    title: 'Stop the change of your payout details?',
    lead: (
      <>
        The details with which {workspaceName} pays you were changed. Nothing is paid to the new ones before{' '}
        <Time at={until} />.
      </>
    ),
    body: (
      <>
        <p>If it was not you, stop the change. Then:</p>
        <ul>
          <li>{workspaceName} pays to your former details again, at once.</li>
          <li>You are signed out everywhere, and your assistants are disconnected.</li>
          <li>Your password no longer works. You set a new one with “Forgot your password?”.</li>
          <li>The admins of {workspaceName} are told.</li>
        </ul>
        <p>If it was you, close this page. Opening it changes nothing.</p>
        <Form>
          <Button look="danger">Stop the change</Button>
        </Form>
      </>
    ),
  };
}

function stoppedPage({ workspaceName }: PayoutStop): PageView {
  return {
    title: 'The change is stopped',
    lead: `${workspaceName} pays to your former details again. Nothing was or will be paid to the others.`,
    body: (
      <>
        <p>
          You were signed out everywhere, and your former password no longer works. Set a new one and look at your
          payout details.
        </p>
        <p>
          <a href="/forgot-password">Set a new password</a>
        </p>
      </>
    ),
  };
}

const PAYOUT_CHANGE_OVER: PageView = {
  title: 'This link is no longer open',
  status: 404,
  lead: 'The change can no longer be stopped, or the payout details were changed again.',
  body: (
    <>
      <p>
        If it was not you, set a new password, look at your payout details, and tell the business that pays you at once.
      </p>
      <p>
        <a href="/forgot-password">Set a new password</a>
      </p>
    </>
  ),
};
