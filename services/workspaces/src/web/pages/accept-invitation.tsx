import { isDomainError, type Instant, withArticle } from '@payroll/kernel';
import {
  type PageResponse,
  Button,
  Field,
  Form,
  hashSecret,
  type PageView,
  PERSON_NAME_WORDING,
  sectionPath,
  signInPath,
  textOf,
  workPath,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { hashNewPassword, requireGoodPassword } from '../../accounts/passwords.js';
import type { SignedInSession } from '../../accounts/sessions.js';
import { checkPassword, sharersOf } from '../../accounts/sign-in.js';
import { acceptInvitation, type Joining } from '../../commands/invitations.js';
import { invitationOver } from '../../domain/member.js';
import { problemsOfPersonName } from '../../domain/workspace.js';
import { normalizeEmail } from '../../domain/account.js';
import { findInvitation, findJoined, type OpenInvitation, askProfile } from '../../queries/members.js';
import { type AccountContext, formPage } from '../account-context.js';
import { NewPasswordFields, PASSWORD_WORDING } from '../secret-fields.js';
import { holderOrigin } from './account.js';
import { askForCode } from './sign-in.js';

/** The page of an invitation's link; viewing it does not use up the invitation. */
export const acceptInvitationPage = formPage('/invitations/:secret', {
  wording: { ...PERSON_NAME_WORDING, ...PASSWORD_WORDING },
  load: async (ctx) => {
    const invitation = await findOpen(ctx);
    const { url: path } = ctx.request;
    return {
      invitation,
      visitor: await ctx.signedIn(),
      path,
      name: ctx.isForm ? textOf(ctx, 'name') : invitation?.name,
    };
  },
  view: ({ invitation, visitor, path, name = '' }) => {
    if (!invitation) return OVER;
    const { workspaceName, role, email } = invitation;
    const lead = role
      ? `You are invited to join ${workspaceName} as ${withArticle(role)}.`
      : `${workspaceName} invites you: here you read and sign contracts, and submit your work. Choose how you sign in.`;
    return {
      title: 'Accept your invitation',
      lead,
      body: visitor ? <JoinAsAccount {...visitor.account} /> : <JoinAsNewcomer {...{ path, email, name }} />,
    };
  },
  submit: async ({ invitation, visitor }, ctx) =>
    invitation ? await join(ctx, invitation, visitor) : await afterwards(ctx, visitor),
});

/** A worker's invitation is over once the business has another address for them. */
async function findOpen(ctx: AccountContext): Promise<OpenInvitation | null> {
  const invitation = await findInvitation(ctx.web.em, hashSecret(ctx.param('secret')));
  if (!invitation || invitation.workerId === null) return invitation;
  const { workspaceId, workerId, email } = invitation;
  const profile = await askProfile(ctx.web, { workspaceId, workerId });
  return profile !== null && normalizeEmail(profile.email) === email ? invitation : null;
}

async function join(
  ctx: AccountContext,
  invitation: OpenInvitation,
  visitor: SignedInSession | null,
): Promise<PageResponse> {
  const { email } = invitation;
  const coming: Coming = visitor
    ? { joining: { kind: 'account', accountId: visitor.account.id }, updatedAt: visitor.updatedAt, knownDevice: null }
    : await newcomer(ctx, invitation);
  const go = async (proof: { isProven: boolean }): Promise<PageResponse> => {
    const recognized = await accept(ctx, invitation, coming);
    if (recognized === null) return await afterwards(ctx, visitor);
    const isIn = visitor !== null || (await ctx.signIn(recognized, proof));
    const { to, notice } = welcomeTo(invitation);
    return { to: isIn ? to : signInPath(to), notice };
  };
  const { joining, updatedAt, knownDevice } = coming;
  if (visitor || joining.kind === 'newcomer' || updatedAt === null) return await go({ isProven: true });
  // The code signs them in and leads back to this page, where they join with their account.
  return await askForCode(
    ctx,
    { accountId: joining.accountId, updatedAt, email, knownDevice },
    { to: ctx.request.url, draft: '' },
    go,
  );
}

type Destination = Pick<OpenInvitation, 'workspaceId' | 'workspaceName' | 'workerId'>;

function welcomeTo({ workspaceId, workspaceName, workerId }: Destination) {
  const to = workerId === null ? sectionPath(workspaceId, '') : workPath(workspaceId);
  return { to, notice: `Welcome to ${workspaceName}.` };
}

/** The second of two clicks finds the invitation used by the same account. */
async function afterwards(ctx: AccountContext, visitor: SignedInSession | null): Promise<PageResponse> {
  const joined = visitor && (await findJoined(ctx.web.em, hashSecret(ctx.param('secret')), visitor.account.id));
  return joined ? welcomeTo(joined) : OVER;
}

/**
 * The person who opened the link, their account as it was read with the password (null for a new one), and the device
 * cookie if it knows the browser.
 */
interface Coming {
  joining: Joining;
  updatedAt: Instant | null;
  knownDevice: string | null;
}

/**
 * Creates an account even if others have the same address, without revealing whether they do. The password of an
 * existing account identifies its owner, who then joins with it; wrong passwords are counted as at sign-in.
 */
async function newcomer(ctx: AccountContext, { email, workspaceName }: OpenInvitation): Promise<Coming> {
  const { em } = ctx.web;
  const [name, password] = [textOf(ctx, 'name'), textOf(ctx, 'password')];
  const chosen = { password, repeated: textOf(ctx, 'repeated'), email, name, workspaces: [workspaceName] };
  requireGoodPassword(chosen, problemsOfPersonName('name', name));
  const attempt = ctx.attempt(email, password);
  const own = await checkPassword(em, attempt);
  if (own) {
    const { accountId, ...recognized } = own;
    return { joining: { kind: 'account', accountId }, ...recognized };
  }
  const passwordHash = await hashNewPassword(em, chosen, sharersOf(attempt));
  return { joining: { kind: 'newcomer', name, passwordHash }, updatedAt: null, knownDevice: null };
}

/** Runs as the invitation itself, since its holder is not a member yet. Null if it was just used or withdrawn. */
async function accept(
  ctx: AccountContext,
  { workspaceId, invitationId, email }: OpenInvitation,
  { joining, updatedAt, knownDevice }: Coming,
) {
  const origin = holderOrigin({ id: invitationId, email }, ctx.request.id, workspaceId);
  try {
    const input = { secretHash: hashSecret(ctx.param('secret')), joining };
    const accepted = await ctx.web.commands.run(acceptInvitation, input, origin);
    return { accountId: accepted.accountId, updatedAt: updatedAt ?? accepted.updatedAt, knownDevice };
  } catch (error) {
    if (isDomainError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

/** For a link that was used, withdrawn, has expired or never existed. */
const OVER: PageView = {
  title: 'This invitation is no longer open',
  status: 404,
  lead: invitationOver().message,
  body: (
    <p>
      Have you used it yourself? Then <a href="/sign-in">sign in</a>.
    </p>
  ),
};

/** A signed-in person joins with their account, whatever address was invited: they have the link. */
function JoinAsAccount({ name, email }: { name: string; email: string }): VNode {
  return (
    <>
      <p>
        You are signed in as {name} ({email}).
      </p>
      <Form>
        <Button>Join</Button>
      </Form>
      <p class="hint">Not you? Sign out first, then open the link again.</p>
    </>
  );
}

function JoinAsNewcomer({ path, email, name }: { path: string; email: string; name: string }): VNode {
  return (
    <>
      <p>
        Already have an account? <a href={signInPath(path)}>Sign in</a> to join. If not, create one here.
      </p>
      <Form>
        <div class="field">
          <label for="email">Email address</label>
          <p class="hint" id="email-hint">
            You will sign in with it
          </p>
          <input id="email" type="email" value={email} readOnly autocomplete="username" aria-describedby="email-hint" />
        </div>
        <Field name="name" label="Your name" value={name} autocomplete="name" />
        <NewPasswordFields />
        <Button>Create the account and join</Button>
      </Form>
    </>
  );
}
