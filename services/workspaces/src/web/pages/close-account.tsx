import { isDomainError } from '@payroll/kernel';
import { ConfirmButtons, Form, Time } from '@payroll/pages';
import { read } from '@payroll/store';
import { keepAccount, requestClosing } from '../../commands/accounts.js';
import { CLOSING_DAYS, onlyAdminOf } from '../../domain/account.js';
import { withoutOtherAdmin } from '../../queries/members.js';
import { formPage, type RouteTable } from '../account-context.js';
import { ownOrigin } from './account.js';

const close = formPage('/account/close', {
  load: async (ctx) => {
    await ctx.requireRecent();
    const visitor = await ctx.requireSignIn();
    const rows = await read(ctx.web.em, withoutOtherAdmin(visitor.account.id));
    return { visitor, workspaces: rows.map(({ name }) => name) };
  },
  view: ({ visitor: { closesAt }, workspaces }) => ({
    title: 'Close your account',
    lead: closesAt ? (
      <>
        It is closed <Time at={closesAt} />.
      </>
    ) : (
      `It is closed after ${CLOSING_DAYS} days. Until then you can sign in as before, and keep it.`
    ),
    body: (
      <>
        <h2>What is deleted</h2>
        <p>
          Your name and address here, your password, second factor and recovery codes, the browsers that are known, what
          you chose about mail. Your places in workspaces end, the API keys and assistants that act for you are revoked,
          and nobody can sign in to the account any more.
        </p>
        <h2>What stays</h2>
        <p>
          The records of each business: contracts and signatures, work, payments and who did what, with your name and
          address as the business has them. After the closing you can no longer look at them here, so save what you need
          first.
        </p>
        {workspaces.length > 0 ? (
          <p>{onlyAdminOf(workspaces)}</p>
        ) : (
          closesAt === null && (
            <Form>
              <ConfirmButtons label="Close the account" look="danger" back="/account" keep="Keep it" />
            </Form>
          )
        )}
      </>
    ),
  }),
  wording: {},
  submit: async ({ visitor }, ctx) => {
    const { id: accountId } = visitor.account;
    await ctx.web.commands.run(requestClosing, { accountId }, ownOrigin(visitor, ctx.request.id));
    return { to: '/account', notice: `Your account will be closed in ${CLOSING_DAYS} days.` };
  },
});

export const closeAccountPages: RouteTable = {
  ...close,
  'POST /account/keep': async (ctx) => {
    const visitor = await ctx.requireSignIn();
    try {
      await ctx.web.commands.run(keepAccount, { accountId: visitor.account.id }, ownOrigin(visitor, ctx.request.id));
    } catch (error) {
      // The second of two clicks finds it kept.
      if (!isDomainError(error, 'NOT_FOUND')) throw error;
    }
    return { to: '/account', notice: 'Your account stays.' };
  },
};
