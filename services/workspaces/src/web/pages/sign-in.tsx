import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { beginSession, checkPassword } from '../../accounts/sign-in.js';
import { attemptOf, keepSignedIn } from '../attempt.js';
import { Cookies } from '../cookies.js';
import { textOf } from '../form-values.js';
import { Button, Field, Form } from '../forms.js';
import type { Problems } from '../problems.js';
import { readReturnPath } from '../return-path.js';
import { sendPage } from '../send-page.js';
import { signedIn, signInPath } from '../visitor.js';
import type { Routes, Web } from '../web.js';

export const signInPages: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);
  const returnPath = (text: unknown): string => readReturnPath(text, web.settings.origin) ?? '/';

  app.get<{ Querystring: { return_to?: unknown } }>('/sign-in', async (request, reply) => {
    const to = returnPath(request.query.return_to);
    if (await signedIn(web, request)) return await reply.redirect(to, 303);
    return await sendSignIn(web, request, reply, { to, email: '', problems: [] });
  });

  app.post('/sign-in', async (request, reply) => {
    const to = returnPath(textOf(request, 'return_to'));
    const email = textOf(request, 'email');
    const recognized = await checkPassword(web.em, attemptOf(cookies, request, email, textOf(request, 'password')));
    if (recognized === null) {
      const problems = [{ field: 'email', message: 'The e-mail address or the password is wrong' }];
      return await sendSignIn(web, request, reply, { to, email, problems });
    }
    const userAgent = request.headers['user-agent'] ?? '';
    const before = await signedIn(web, request);
    if (before) await web.sessions.end(before);
    keepSignedIn(cookies, reply, await beginSession(web.em, web.sessions, recognized, userAgent));
    return await reply.redirect(to, 303);
  });

  app.post('/sign-out', async (request, reply) => {
    const visitor = await signedIn(web, request);
    if (visitor) await web.sessions.end(visitor);
    cookies.clear(reply, 'session');
    return await reply.redirect('/sign-in', 303);
  });
  return Promise.resolve();
};

interface SignInForm {
  to: string;
  email: string;
  problems: Problems;
}

function sendSignIn(web: Web, request: FastifyRequest, reply: FastifyReply, form: SignInForm): Promise<FastifyReply> {
  return sendPage(web, request, reply, {
    title: 'Sign in',
    problems: form.problems,
    body: <SignInFields {...form} />,
  });
}

function SignInFields({ to, email, problems }: SignInForm): VNode {
  return (
    <Form action={signInPath(to)}>
      <input type="hidden" name="return_to" value={to} />
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        value={email}
        problems={problems}
      />
      <Field name="password" label="Password" type="password" autocomplete="current-password" problems={problems} />
      <Button>Sign in</Button>
      <p class="hint">
        No account yet? Ask an admin of your workspace for an invitation. Forgotten your password? Whoever operates this
        service can set a new one.
      </p>
    </Form>
  );
}
