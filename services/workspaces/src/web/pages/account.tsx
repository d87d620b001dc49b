import { throwIfInvalid, SCOPES, type ErrorDetail, type Origin } from '@payroll/kernel';
import {
  Button,
  CurrentPassword,
  ConfirmButtons,
  DefinitionList,
  Form,
  LinkButton,
  type PageView,
  type SecretField,
  Table,
  Tag,
  textOf,
  Time,
} from '@payroll/pages';
import { hashNewPassword, requireGoodPassword } from '../../accounts/passwords.js';
import type { SignedInSession } from '../../accounts/sessions.js';
import { isOwnPassword, sharersOf } from '../../accounts/sign-in.js';
import { changePassword, signOutEverywhere } from '../../commands/accounts.js';
import { NO_WORKSPACE } from '../../commands/installation.js';
import { workspaceNames } from '../../queries/members.js';
import { CODE_WORDING, CodeField, problemsOfCode, NewPasswordFields, PASSWORD_WORDING } from '../secret-fields.js';
import { type AccountContext, formPage, type RouteTable } from '../account-context.js';

/** Shown before anything that gives access. The session continues. */
const confirmPassword = formPage('/sign-in/again', {
  load: async (ctx) => ({ visitor: await ctx.requireSignIn(), to: ctx.returnPath }),
  wording: { ...CODE_WORDING, password: 'This is not your password' },
  view: ({ visitor: { account, hasSecondFactor }, to }) => ({
    title: 'Confirm that it is you',
    lead: `You are signed in as ${account.name} (${account.email}). The next step requires your password${hasSecondFactor ? ' and a code' : ''}, unless you entered ${hasSecondFactor ? 'both' : 'it'} within the last ten minutes.`,
    body: (
      <Form>
        <input type="hidden" name="return_to" value={to} />
        <input type="text" name="username" value={account.email} autocomplete="username" hidden readOnly />
        <CurrentPassword />
        {hasSecondFactor && <CodeField />}
        <Button>Continue</Button>
      </Form>
    ),
  }),
  submit: async ({ visitor, to }, ctx) => {
    throwIfInvalid(await problemsOfOwn('password', ctx, visitor), 'The password is wrong.');
    const problems = await problemsOfOwnCode(ctx, visitor);
    // The first of two clicks has used up the code, and the session has its proof.
    if (problems.length > 0 && (await ctx.web.sessions.findByProof(ctx.browserHash))?.isRecent) return { to };
    throwIfInvalid(problems, 'The code is wrong.');
    await ctx.web.sessions.confirm(visitor);
    return { to };
  },
});

const changeOwnPassword = formPage('/account/password', {
  load: async (ctx) => ({ visitor: await ctx.requireSignIn() }),
  wording: { ...PASSWORD_WORDING, ...CODE_WORDING, current: 'This is not your password' },
  view: ({ visitor: { hasSecondFactor } }) => ({
    title: 'Change your password',
    body: (
      <Form>
        <CurrentPassword name="current" label="Current password" />
        {hasSecondFactor && <CodeField />}
        <NewPasswordFields />
        <ConfirmButtons label="Change the password" back="/account" keep="Keep it" />
      </Form>
    ),
  }),
  submit: async ({ visitor }, ctx) => {
    const { em, commands, sessions } = ctx.web;
    const { id: accountId, email, name } = visitor.account;
    const workspaces = await workspaceNames(em, accountId);
    const chosen = { password: textOf(ctx, 'password'), repeated: textOf(ctx, 'repeated'), email, name, workspaces };
    requireGoodPassword(chosen, await problemsOfOwn('current', ctx, visitor));
    // Last, because a code can be used once.
    throwIfInvalid(await problemsOfOwnCode(ctx, visitor), 'The code is wrong.');
    const passwordHash = await hashNewPassword(em, chosen, sharersOf({ address: ctx.request.ip, email }));
    const input = { accountId, passwordHash, asRead: visitor.updatedAt };
    const changed = await commands.run(changePassword, input, ownOrigin(visitor, ctx.request.id));
    const session = await sessions.begin(changed, { userAgent: ctx.userAgent, isProven: true });
    if (session !== null) ctx.cookies.write('session', session);
    return {
      to: '/account',
      notice:
        'Your password has been changed. You are signed out everywhere else, and your assistants are disconnected.',
    };
  },
});

export const accountPages: RouteTable = {
  ...confirmPassword,
  ...changeOwnPassword,
  'GET /account': accountPage,
  'POST /account/sign-out-everywhere': async (ctx) => {
    const visitor = await ctx.requireSignIn();
    const { id: accountId } = visitor.account;
    await ctx.web.commands.run(signOutEverywhere, { accountId }, ownOrigin(visitor, ctx.request.id));
    ctx.signOut();
    return { to: '/sign-in', notice: 'You are signed out everywhere, and your assistants are disconnected.' };
  },
};

async function problemsOfOwn(
  field: SecretField,
  ctx: AccountContext,
  { account }: SignedInSession,
): Promise<ErrorDetail[]> {
  const isOwn = await isOwnPassword(ctx.web.em, account.id, ctx.attempt(account.email, textOf(ctx, field)));
  return isOwn ? [] : [{ path: field, code: 'wrong' }];
}

/** None for an account without a second factor. */
async function problemsOfOwnCode(
  ctx: AccountContext,
  { account, hasSecondFactor }: SignedInSession,
): Promise<ErrorDetail[]> {
  if (!hasSecondFactor) return [];
  const knownDevice = ctx.cookies.read('device') ?? null;
  return await problemsOfCode(ctx, { accountId: account.id, email: account.email, knownDevice });
}

/** The holder of a link acts as the account that it was mailed to, or as the invitation that it is. */
export function holderOrigin(holder: Owner, requestId: string, workspaceId = NO_WORKSPACE): Origin {
  return originOf(holder, { sessionId: null, hasRecentPassword: false, workspaceId }, requestId);
}

/** A person's origin for actions on their own account, which belongs to no workspace. */
export function ownOrigin({ sessionId, isRecent, account }: SignedInSession, requestId: string): Origin {
  return originOf(account, { sessionId, hasRecentPassword: isRecent, workspaceId: NO_WORKSPACE }, requestId);
}

type Owner = Record<'id' | 'email', string>;

function originOf(
  { id: principalId, email: person }: Owner,
  session: { sessionId: string | null; hasRecentPassword: boolean; workspaceId: string },
  requestId: string,
): Origin {
  const own = { kind: 'person', principalId, person, role: null } as const;
  return { actor: { ...own, ...session, scopes: SCOPES }, via: 'web', requestId };
}

async function accountPage(ctx: AccountContext): Promise<PageView> {
  const { account, sessionId, hasSecondFactor, closesAt } = await ctx.requireSignIn();
  const body = (
    <>
      <DefinitionList of={{ Name: account.name, 'Email address': account.email }} />
      <LinkButton href="/account/address" look="quiet">
        Change the email address
      </LinkButton>
      <h2>Password</h2>
      <p>A new password signs you out everywhere else and disconnects your assistants.</p>
      <LinkButton href="/account/password" look="quiet">
        Change the password
      </LinkButton>
      <h2>Second factor</h2>
      <p>
        {hasSecondFactor
          ? 'Signing in takes a code of your authenticator app beside your password.'
          : 'Anyone who learns your password can sign in as you. A second factor prevents that: a code from an app on your phone.'}
      </p>
      <LinkButton href="/account/second-factor" look="quiet">
        {hasSecondFactor ? 'Recovery codes, or removing it' : 'Set up a second factor'}
      </LinkButton>
      <h2>Mail</h2>
      <LinkButton href="/account/mail" look="quiet">
        Choose what is mailed to you
      </LinkButton>
      <h2>Your data</h2>
      <p>All that these pages show of you, in every workspace: a file for programs to read (JSON).</p>
      <LinkButton href="/account/data.json" look="quiet">
        Download your data
      </LinkButton>
      <h2>Where you are signed in</h2>
      <Table
        caption="Browsers in which you are signed in"
        rows={await ctx.web.sessions.list(account.id)}
        columns={{
          Browser: ({ id, userAgent }) => (
            <>
              {describeBrowser(userAgent)} {id === sessionId && <Tag>this one</Tag>}
            </>
          ),
          'Signed in': ({ createdAt }) => <Time at={createdAt} />,
          'Last seen': ({ lastSeenAt }) => <Time at={lastSeenAt} />,
        }}
      />
      <p>
        Signing out everywhere also disconnects the assistants that act for you, in every workspace. API keys that you
        created stay valid: an admin of each workspace can revoke them, on its page <i>API keys</i>.
      </p>
      <Form action="/account/sign-out-everywhere">
        <Button look="danger">Sign out everywhere</Button>
      </Form>
      <h2>Closing the account</h2>
      {closesAt ? (
        <>
          <p>
            Your account will be closed <Time at={closesAt} />.
          </p>
          <Form action="/account/keep">
            <Button>Keep the account</Button>
          </Form>
        </>
      ) : (
        <LinkButton href="/account/close" look="danger">
          Close the account
        </LinkButton>
      )}
    </>
  );
  return { title: 'Your account', body };
}

const BROWSERS = [
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone or iPad', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Enough for people to tell their browsers apart: "Firefox on Linux". */
export function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0] ?? 'Another program';
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
