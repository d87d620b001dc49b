import { SCOPES, type Origin } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { readNewPassword } from '../../accounts/new-password.js';
import { hashSecret, isSecret } from '../../accounts/secret.js';
import { beginSession } from '../../accounts/sign-in.js';
import { acceptInvitation, type Joined, type Joining } from '../../commands/accept-invitation.js';
import { invitationOver } from '../../domain/invitation.js';
import { findInvitation, type OpenInvitation } from '../../queries/find-invitation.js';
import { keepSignedIn } from '../attempt.js';
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
import { JoinAsAccount, JoinAsNewcomer, SignInToJoin } from './joining.js';
import { MEMBER_WORDING } from './members/member-wording.js';

const WORDING = { ...MEMBER_WORDING, ...PASSWORD_WORDING };

/** What an invitation's link opens; looking at it uses nothing up. */
export const acceptInvitationPage: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);

  app.get<{ Params: { secret: string } }>('/invitations/:secret', async (request, reply) => {
    const invitation = await openInvitation(web, request.params.secret);
    return await sendInvitation(web, request, reply, invitation, { name: invitation.name, problems: [] });
  });

  app.post<{ Params: { secret: string } }>('/invitations/:secret', async (request, reply) => {
    const { secret } = request.params;
    const invitation = await openInvitation(web, secret);
    const visitor = await signedIn(web, request);
    const outcome = await tryForm(WORDING, async () => {
      const joining = visitor ? accountOf(visitor.account.id) : await newcomer(request, invitation);
      return await join(web, request, invitation, secret, joining);
    });
    if (!outcome.done) {
      const again = { name: textOf(request, 'name'), problems: outcome.problems };
      return await sendInvitation(web, request, reply, invitation, again);
    }
    if (!visitor) {
      const recognized = { accountId: outcome.result.accountId, knownDevice: null };
      const userAgent = request.headers['user-agent'] ?? '';
      keepSignedIn(cookies, reply, await beginSession(web.em, web.sessions, recognized, userAgent));
    }
    leaveNotice(cookies, reply, `Welcome to ${invitation.workspaceName}.`);
    return await reply.redirect(roomPath(invitation.workspaceId, 'overview'), 303);
  });
  return Promise.resolve();
};

async function openInvitation(web: Web, secret: string): Promise<OpenInvitation> {
  const invitation = isSecret(secret) ? await findInvitation(web.em, hashSecret(secret)) : null;
  if (!invitation) throw invitationOver();
  return invitation;
}

function accountOf(accountId: string): Joining {
  return { kind: 'account', accountId };
}

async function newcomer(request: FastifyRequest, { email }: OpenInvitation): Promise<Joining> {
  const name = textOf(request, 'name');
  const chosen = { password: textOf(request, 'password'), repeated: textOf(request, 'repeated') };
  return { kind: 'newcomer', name, passwordHash: await readNewPassword(chosen, [email, name]) };
}

/** Nobody is a member yet who could be told to have done it: the link's holder acts, whose invitation it is. */
async function join(
  { commands }: Web,
  request: FastifyRequest,
  { workspaceId, invitationId }: OpenInvitation,
  secret: string,
  joining: Joining,
): Promise<Joined> {
  const actor = { kind: 'person', principalId: invitationId, workspaceId, role: null, scopes: SCOPES } as const;
  const origin: Origin = { actor, via: 'web', requestId: request.id };
  return await commands.run(acceptInvitation, { secretHash: hashSecret(secret), joining }, origin);
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
    if (invitation.hasAccount) return <SignInToJoin path={path} email={invitation.email} />;
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
