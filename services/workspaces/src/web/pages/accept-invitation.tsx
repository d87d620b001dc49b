import { DomainError, SCOPES, type Origin } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { readNewPassword } from '../../accounts/new-password.js';
import { hashSecret, isSecret } from '../../accounts/secret.js';
import type { SignedIn } from '../../accounts/sessions.js';
import { beginSession, checkPassword, type Recognized } from '../../accounts/sign-in.js';
import { acceptInvitation, type Joining } from '../../commands/invitations.js';
import { invitationOver } from '../../domain/invitation.js';
import { problemsOfName } from '../../domain/problems.js';
import { findInvitation, type OpenInvitation } from '../../queries/find-invitation.js';
import { attemptOf, keepSignedIn } from '../attempt.js';
import { Cookies } from '../cookies.js';
import { textOf } from '../form-values.js';
import { roomPath } from '../layout.js';
import { leaveNotice } from '../notice.js';
import { PASSWORD_WORDING } from '../password-fields.js';
import type { Problems } from '../problems.js';
import { sendPage } from '../send-page.js';
import { tryForm } from '../try-form.js';
import { signedIn } from '../visitor.js';
import type { Routes, Web } from '../web.js';
import { JoinAsAccount, JoinAsNewcomer } from './joining.js';
import { MEMBER_WORDING } from './members/member-wording.js';

const WORDING = { ...MEMBER_WORDING, ...PASSWORD_WORDING };

/** What an invitation's link opens; looking at it uses nothing up. */
export const acceptInvitationPage: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);

  app.get<Params>('/invitations/:secret', async (request, reply) => {
    const invitation = await findOpen(web, request.params.secret);
    if (!invitation) return await sendOver(web, request, reply);
    return await sendInvitation(web, request, reply, invitation, { name: invitation.name, problems: [] });
  });

  app.post<Params>('/invitations/:secret', { config: { isForStrangers: true } }, async (request, reply) => {
    const { secret } = request.params;
    const invitation = await findOpen(web, secret);
    if (!invitation) return await sendOver(web, request, reply);
    const visitor = await signedIn(web, request);
    const outcome = await tryForm(WORDING, async () => {
      const coming = visitor ? signedInAs(visitor) : await newcomer(web, cookies, request, invitation);
      return await join(web, request, invitation, secret, coming);
    });
    if (!outcome.done) {
      const again = { name: textOf(request, 'name'), problems: outcome.problems };
      return await sendInvitation(web, request, reply, invitation, again);
    }
    if (outcome.result === null) return await sendOver(web, request, reply);
    if (!visitor) {
      const browser = { userAgent: request.headers['user-agent'] ?? '' };
      keepSignedIn(cookies, reply, await beginSession(web.em, web.sessions, outcome.result, browser));
    }
    leaveNotice(cookies, reply, `Welcome to ${invitation.workspaceName}.`);
    return await reply.redirect(roomPath(invitation.workspaceId, 'overview'), 303);
  });
  return Promise.resolve();
};

interface Params {
  Params: { secret: string };
}

async function findOpen({ em }: Web, secret: string): Promise<OpenInvitation | null> {
  return isSecret(secret) ? await findInvitation(em, hashSecret(secret)) : null;
}

/** Who opened the link, and whether their browser is known to the account that they have. */
interface Coming {
  joining: Joining;
  knownDevice: string | null;
}

function signedInAs({ account }: SignedIn): Coming {
  return { joining: { kind: 'account', accountId: account.id }, knownDevice: null };
}

/**
 * A new account, whoever else may have one with this address, and nothing says whether somebody has. Who gives the
 * password of one shows that it is theirs, and joins with it; wrong ones are counted as when signing in.
 */
async function newcomer(
  { em }: Web,
  cookies: Cookies,
  request: FastifyRequest,
  { email }: OpenInvitation,
): Promise<Coming> {
  const [name, password] = [textOf(request, 'name'), textOf(request, 'password')];
  const chosen = { password, repeated: textOf(request, 'repeated'), email, name };
  const passwordHash = await readNewPassword(em, chosen, problemsOfName('name', name));
  const own = await checkPassword(em, attemptOf(cookies, request, email, password));
  if (own) return { joining: { kind: 'account', accountId: own.accountId }, knownDevice: own.knownDevice };
  return { joining: { kind: 'newcomer', name, passwordHash }, knownDevice: null };
}

/**
 * Nobody is a member yet who could be told to have done it: the link's holder acts, whose invitation it is. Null when it
 * was used or taken back at this very moment.
 */
async function join(
  { commands }: Web,
  request: FastifyRequest,
  { workspaceId, invitationId }: OpenInvitation,
  secret: string,
  { joining, knownDevice }: Coming,
): Promise<Recognized | null> {
  const holder = { kind: 'person', principalId: invitationId, role: null, sessionId: null } as const;
  const origin: Origin = { actor: { ...holder, workspaceId, scopes: SCOPES }, via: 'web', requestId: request.id };
  try {
    const input = { secretHash: hashSecret(secret), joining };
    const { accountId } = await commands.run(acceptInvitation, input, origin);
    return { accountId, knownDevice };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** A link that was used, taken back, left lying too long, or made up. */
async function sendOver(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = (
    <>
      <p class="lead">{invitationOver().message}</p>
      <p>
        Have you used it yourself? Then <a href="/sign-in">sign in</a>.
      </p>
    </>
  );
  return await sendPage(web, request, reply, { title: 'This invitation is no longer open', status: 404, body });
}

async function sendInvitation(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  invitation: OpenInvitation,
  form: { name: string; problems: Problems },
): Promise<FastifyReply> {
  const visitor = await signedIn(web, request);
  const path = request.url;
  const way = (): VNode => {
    if (visitor) return <JoinAsAccount path={path} account={visitor.account} />;
    return <JoinAsNewcomer path={path} email={invitation.email} {...form} />;
  };
  const body = (
    <>
      <p class="lead">
        You are invited to join {invitation.workspaceName} as a {invitation.role}.
      </p>
      {way()}
    </>
  );
  return await sendPage(web, request, reply, { title: 'Accept your invitation', problems: form.problems, body });
}
