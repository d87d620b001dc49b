import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnPassword } from '../../accounts/sign-in.js';
import { attemptOf } from '../attempt.js';
import { Cookies } from '../cookies.js';
import { textOf } from '../form-values.js';
import { Button, Field, Form } from '../forms.js';
import type { Problems } from '../problems.js';
import { readReturnPath } from '../return-path.js';
import { sendPage } from '../send-page.js';
import { requireSignIn } from '../visitor.js';
import type { Routes, Web } from '../web.js';

const PATH = '/sign-in/again';

/** Before something that gives access: whoever sits at the browser shows that it is theirs. They stay signed in. */
export const confirmPasswordPage: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);
  const returnPath = (text: unknown): string => readReturnPath(text, web.settings.origin) ?? '/';

  app.get<{ Querystring: { return_to?: unknown } }>(PATH, async (request, reply) => {
    return await sendForm(web, request, reply, returnPath(request.query.return_to), []);
  });

  app.post(PATH, async (request, reply) => {
    const visitor = await requireSignIn(web, request);
    const to = returnPath(textOf(request, 'return_to'));
    const attempt = attemptOf(cookies, request, visitor.account.email, textOf(request, 'password'));
    if (!(await isOwnPassword(web.em, visitor.account.id, attempt))) {
      return await sendForm(web, request, reply, to, [{ field: 'password', message: 'This is not your password' }]);
    }
    await web.sessions.confirm(visitor);
    return await reply.redirect(to, 303);
  });
  return Promise.resolve();
};

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  to: string,
  problems: Problems,
): Promise<FastifyReply> {
  const { account } = await requireSignIn(web, request);
  const body = (
    <>
      <p class="lead">
        You are signed in as {account.name} ({account.email}). What comes next needs your password, unless you gave it
        within the last ten minutes.
      </p>
      <Form action={PATH}>
        <input type="hidden" name="return_to" value={to} />
        <input type="text" name="username" value={account.email} autocomplete="username" hidden readOnly />
        <Field name="password" label="Password" type="password" autocomplete="current-password" problems={problems} />
        <Button>Go on</Button>
      </Form>
    </>
  );
  return await sendPage(web, request, reply, { title: 'Confirm that it is you', problems, body });
}
