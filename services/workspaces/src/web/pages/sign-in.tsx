import { DomainError } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { DEVICE_DAYS } from '../../accounts/known-devices.js';
import { isSecret } from '../../accounts/secret.js';
import { signIn, type SignedInSecrets } from '../../accounts/sign-in.js';
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
    try {
      keepSignedIn(cookies, reply, await signIn(web.em, web.sessions, attemptOf(cookies, request)));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_CREDENTIAL') throw error;
      const problems = [{ field: 'email', message: error.message }];
      return await sendSignIn(web, request, reply, { to, email, problems });
    }
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

/** What the password that this request brings is tried with. */
function attemptOf(cookies: Cookies, request: FastifyRequest) {
  const device = cookies.read(request, 'device');
  return {
    email: textOf(request, 'email'),
    password: textOf(request, 'password'),
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    device: isSecret(device) ? device : null,
  };
}

function keepSignedIn(cookies: Cookies, reply: FastifyReply, { session, device }: SignedInSecrets): void {
  cookies.write(reply, 'session', session);
  cookies.write(reply, 'device', device, DEVICE_DAYS * 86_400);
}

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
