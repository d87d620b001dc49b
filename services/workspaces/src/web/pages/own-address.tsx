import { DomainError, isDomainError } from '@payroll/kernel';
import {
  ConfirmButtons,
  DefinitionList,
  Field,
  Form,
  hashSecret,
  newSecret,
  type PageView,
  textOf,
} from '@payroll/pages';
import { findRequestedAddress, forgetAddressLink } from '../../accounts/links.js';
import { countAttempt } from '../../accounts/throttle.js';
import { changeAddress, requestAddress } from '../../commands/own-address.js';
import { normalizeEmail, UNDO_DAYS } from '../../domain/account.js';
import { sendWhilePageWaits } from '../../mail/mailer.js';
import { newAddressMail } from '../../mail/texts.js';
import { formPage, type RouteTable } from '../account-context.js';
import { ownOrigin } from './account.js';

const NOT_SENT = new DomainError(
  'SERVICE_UNAVAILABLE',
  'The mail could not be sent. Check the address and try again in a few minutes.',
);

const request = formPage('/account/address', {
  load: async (ctx) => {
    await ctx.requireRecent();
    await ctx.takeTypedForm();
    return { visitor: await ctx.requireSignIn(), mailer: ctx.web.mailer, email: textOf(ctx, 'email') };
  },
  wording: {
    'email invalid_format': 'Enter an email address, such as ada@example.com',
    'email same': 'This is your address already',
  },
  view: ({ visitor: { account }, mailer, email }) => ({
    title: 'Change your email address',
    lead: 'You sign in with it, and our mails go to it.',
    body:
      mailer === null ? (
        <p>This service does not send mail, so a new address cannot be confirmed.</p>
      ) : (
        <>
          <DefinitionList of={{ 'Present address': account.email }} />
          <p>
            We mail a link to the new address. Once you confirm there, you sign in with the new one. The old one is
            told, and can take the account back for {UNDO_DAYS} days.
          </p>
          <p>
            If you work for a business here, its record keeps your former address until you tell it. Its admins see the
            address that you sign in with.
          </p>
          <Form>
            <Field name="email" label="New email address" type="email" value={email} autocomplete="email" />
            <ConfirmButtons label="Send the link" back="/account" keep="Keep the present one" />
          </Form>
        </>
      ),
  }),
  submit: async ({ visitor, mailer, email: typed }, ctx) => {
    if (mailer === null) return { to: '/account/address' };
    const { em, commands, settings } = ctx.web;
    const email = normalizeEmail(typed);
    await countAttempt(em, [
      { kind: 'mail-from', name: ctx.request.ip },
      { kind: 'mail-to', name: email },
    ]);
    const secret = newSecret();
    const secretHash = hashSecret(secret);
    const input = { accountId: visitor.account.id, email, secretHash };
    if (await commands.run(requestAddress, input, ownOrigin(visitor, ctx.request.id))) {
      const mail = newAddressMail(email, `${settings.origin}/account/address/${secret}`);
      if (!(await sendWhilePageWaits(mailer, mail, () => forgetAddressLink(em, secretHash)))) throw NOT_SENT;
    }
    const notice = `A link is on its way to ${email}. It works for a day. Until you confirm it, nothing changes.`;
    return { to: '/account', notice };
  },
});

/** The page of the link; viewing it changes nothing. It needs a sign-in to the account that requested it. */
const confirm = formPage('/account/address/:secret', {
  load: async (ctx) => {
    const visitor = await ctx.requireSignIn();
    const secretHash = hashSecret(ctx.param('secret'));
    return { visitor, change: await findRequestedAddress(ctx.web.em, visitor.account.id, secretHash) };
  },
  view: ({ visitor: { account }, change }) =>
    change && !change.isMade
      ? {
          title: 'Confirm your new email address',
          lead: `From now on you sign in with ${change.email}, and no longer with ${account.email}.`,
          body: (
            <Form>
              <ConfirmButtons label="Change the address" back="/account" keep="Keep the present one" />
            </Form>
          ),
        }
      : OVER,
  wording: {},
  submit: async ({ visitor, change }, ctx) => {
    if (!change) return OVER;
    const input = { accountId: visitor.account.id, secretHash: hashSecret(ctx.param('secret')) };
    try {
      await ctx.web.commands.run(changeAddress, input, ownOrigin(visitor, ctx.request.id));
    } catch (error) {
      if (isDomainError(error, 'NOT_FOUND')) return OVER;
      throw error;
    }
    return { to: '/account', notice: `Your address is ${change.email} now. Sign in with it from now on.` };
  },
});

const OVER: PageView = {
  title: 'This link is no longer open',
  status: 404,
  lead: 'It has been used, is older than a day, was replaced by a later one, or belongs to another account than the one that is signed in.',
  body: (
    <p>
      <a href="/account/address">Change your email address</a>
    </p>
  ),
};

export const ownAddressPages: RouteTable = { ...request, ...confirm };
