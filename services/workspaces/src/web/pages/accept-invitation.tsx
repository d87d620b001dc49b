import { DomainError, SCOPES, type Origin } from '@payroll/kernel';
import {
  type Answer,
  Button,
  Field,
  Form,
  hashSecret,
  isSecret,
  type Page,
  PERSON_NAME_WORDING,
  sectionPath,
  signInPath,
  textOf,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { hashNewPassword, requireGoodPassword } from '../../accounts/passwords.js';
import type { SignedIn } from '../../accounts/sessions.js';
import { checkPassword, sharersOf } from '../../accounts/sign-in.js';
import { acceptInvitation, type Joining } from '../../commands/invitations.js';
import { invitationOver } from '../../domain/member.js';
import { problemsOfPersonName } from '../../domain/workspace.js';
import { findInvitation, type OpenInvitation } from '../../queries/members.js';
import type { OwnExchange } from '../exchange.js';
import { NewPasswordFields, PASSWORD_WORDING } from '../password-fields.js';
import { formPage } from '../routes.js';

/** What an invitation's link opens; looking at it does not use it up. */
export const acceptInvitationPage = formPage('/invitations/:secret', {
  wording: { ...PERSON_NAME_WORDING, ...PASSWORD_WORDING },
  enter: async (at) => {
    const invitation = await findOpen(at);
    const { url: path } = at.request;
    return { invitation, visitor: await at.signedIn(), path, name: at.isForm ? textOf(at, 'name') : invitation?.name };
  },
  view: ({ invitation, visitor, path, name = '' }) => {
    if (!invitation) return OVER;
    const { workspaceName, role, email } = invitation;
    return {
      title: 'Accept your invitation',
      lead: `You are invited to join ${workspaceName} as a ${role}.`,
      body: visitor ? <JoinAsAccount {...visitor.account} /> : <JoinAsNewcomer {...{ path, email, name }} />,
    };
  },
  send: async ({ invitation, visitor }, at) => (invitation ? await join(at, invitation, visitor) : OVER),
});

async function findOpen(at: OwnExchange): Promise<OpenInvitation | null> {
  const secret = at.param('secret');
  return isSecret(secret) ? await findInvitation(at.web.em, hashSecret(secret)) : null;
}

async function join(at: OwnExchange, invitation: OpenInvitation, visitor: SignedIn | null): Promise<Answer> {
  const coming: Coming = visitor
    ? { joining: { kind: 'account', accountId: visitor.account.id }, knownDevice: null }
    : await newcomer(at, invitation);
  const recognized = await accept(at, invitation, coming);
  if (recognized === null) return OVER;
  if (!visitor) await at.signIn(recognized);
  const notice = `Welcome to ${invitation.workspaceName}.`;
  return { to: sectionPath(invitation.workspaceId, ''), notice };
}

/** Who opened the link, and whether their browser is known to the account that they have. */
interface Coming {
  joining: Joining;
  knownDevice: string | null;
}

/**
 * A new account, whoever else may have one with this address, and nothing says whether somebody has. Who gives the
 * password of one shows that it is theirs, and joins with it; wrong ones are counted as when signing in.
 */
async function newcomer(at: OwnExchange, { email, workspaceName }: OpenInvitation): Promise<Coming> {
  const { em } = at.web;
  const [name, password] = [textOf(at, 'name'), textOf(at, 'password')];
  const chosen = { password, repeated: textOf(at, 'repeated'), email, name, workspaces: [workspaceName] };
  requireGoodPassword(chosen, problemsOfPersonName('name', name));
  const attempt = at.attempt(email, password);
  const own = await checkPassword(em, attempt);
  if (own) return { joining: { kind: 'account', accountId: own.accountId }, knownDevice: own.knownDevice };
  const passwordHash = await hashNewPassword(em, chosen, sharersOf(attempt));
  return { joining: { kind: 'newcomer', name, passwordHash }, knownDevice: null };
}

/** The actor is the invitation itself, as its holder is no member yet. Null when it was just used or taken back. */
async function accept(
  at: OwnExchange,
  { workspaceId, invitationId, email: person }: OpenInvitation,
  { joining, knownDevice }: Coming,
) {
  const holder = { kind: 'person', person, principalId: invitationId, role: null } as const;
  const unsigned = { sessionId: null, hasRecentPassword: false };
  const origin: Origin = {
    actor: { ...holder, ...unsigned, workspaceId, scopes: SCOPES },
    via: 'web',
    requestId: at.request.id,
  };
  try {
    const input = { secretHash: hashSecret(at.param('secret')), joining };
    const { accountId } = await at.web.commands.run(acceptInvitation, input, origin);
    return { accountId, knownDevice };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** A link that was used, taken back, left lying too long, or made up. */
const OVER: Page = {
  title: 'This invitation is no longer open',
  status: 404,
  lead: invitationOver().message,
  body: (
    <p>
      Have you used it yourself? Then <a href="/sign-in">sign in</a>.
    </p>
  ),
};

/** Who is signed in joins as who they are, whatever address the invitation was made out to: they hold its link. */
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
          <label for="email">E-mail address</label>
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
