import { SCOPES, type Origin } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readNewPassword } from '../../accounts/new-password.js';
import type { SignedIn } from '../../accounts/sessions.js';
import { isOwnPassword } from '../../accounts/sign-in.js';
import { changePassword } from '../../commands/accounts.js';
import { NO_WORKSPACE } from '../../commands/internal-tokens.js';
import { attemptOf } from '../attempt.js';
import { Cookies } from '../cookies.js';
import { textOf } from '../form-values.js';
import { Button, Field, Form } from '../forms.js';
import { leaveNotice } from '../notice.js';
import { NewPasswordFields, PASSWORD_WORDING } from '../password-fields.js';
import type { Problems } from '../problems.js';
import { sendPage } from '../send-page.js';
import { tryForm } from '../try-form.js';
import { requireSignIn } from '../visitor.js';
import type { Routes, Web } from '../web.js';

const WORDING = { ...PASSWORD_WORDING, current: 'This is not your password' };

export const changePasswordPage: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);

  app.get('/account/password', async (request, reply) => {
    await requireSignIn(web, request);
    return await sendForm(web, request, reply, []);
  });

  app.post('/account/password', async (request, reply) => {
    const visitor = await requireSignIn(web, request);
    const outcome = await tryForm(WORDING, () => change(web, cookies, request, visitor));
    if (!outcome.done) return await sendForm(web, request, reply, outcome.problems);
    const userAgent = request.headers['user-agent'] ?? '';
    cookies.write(reply, 'session', await web.sessions.begin(visitor.account.id, userAgent));
    leaveNotice(cookies, reply, 'Your password is changed. You are signed out everywhere else.');
    return await reply.redirect('/account', 303);
  });
  return Promise.resolve();
};

async function change(web: Web, cookies: Cookies, request: FastifyRequest, visitor: SignedIn): Promise<void> {
  const { account } = visitor;
  const { email, name } = account;
  const attempt = attemptOf(cookies, request, email, textOf(request, 'current'));
  const isOwn = await isOwnPassword(web.em, account.id, attempt);
  const chosen = { password: textOf(request, 'password'), repeated: textOf(request, 'repeated'), email, name };
  const passwordHash = await readNewPassword(web.em, chosen, isOwn ? [] : [{ path: 'current', code: 'wrong' }]);
  const input = { accountId: account.id, passwordHash };
  await web.commands.run(changePassword, input, ownOrigin(visitor, request.id));
}

/** Somebody about their own account, which belongs to no workspace. */
function ownOrigin({ sessionId, account }: SignedIn, requestId: string): Origin {
  const actor = {
    kind: 'person',
    principalId: account.id,
    sessionId,
    workspaceId: NO_WORKSPACE,
    role: null,
    scopes: SCOPES,
  } as const;
  return { actor, via: 'web', requestId };
}

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  problems: Problems,
): Promise<FastifyReply> {
  const body = (
    <Form action="/account/password">
      <Field
        name="current"
        label="Current password"
        type="password"
        autocomplete="current-password"
        problems={problems}
      />
      <NewPasswordFields problems={problems} />
      <div class="actions">
        <Button>Change the password</Button>
        <a href="/account">Keep it</a>
      </div>
    </Form>
  );
  return await sendPage(web, request, reply, { title: 'Change your password', problems, body });
}
