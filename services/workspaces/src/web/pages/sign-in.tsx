import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginSession, checkPassword } from '../../accounts/sign-in.js';
import { attemptOf, keepSignedIn } from '../attempt.js';
import { Cookies } from '../cookies.js';
import { textOf } from '../form-values.js';
import { readDraft } from '../read-draft.js';
import { readReturnPath } from '../return-path.js';
import { sendPage } from '../send-page.js';
import { SignInFields, type SignInForm } from '../sign-in-fields.js';
import { signedIn } from '../visitor.js';
import type { Routes, Web } from '../web.js';

const FOR_STRANGERS = { config: { isForStrangers: true } } as const;

export const signInPages: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);
  const returnPath = (text: unknown): string => readReturnPath(text, web.settings.origin) ?? '/';

  app.get<{ Querystring: { return_to?: unknown } }>('/sign-in', async (request, reply) => {
    const to = returnPath(request.query.return_to);
    if (await signedIn(web, request)) return await reply.redirect(to, 303);
    return await sendSignIn(web, request, reply, { to, email: '', problems: [], draft: '' });
  });

  app.post('/sign-in', FOR_STRANGERS, async (request, reply) => {
    const [to, email] = [returnPath(textOf(request, 'return_to')), textOf(request, 'email')];
    const recognized = await checkPassword(web.em, attemptOf(cookies, request, email, textOf(request, 'password')));
    if (recognized === null) {
      const problems = [{ field: 'email', message: 'The e-mail address or the password is wrong' }];
      return await sendSignIn(web, request, reply, { to, email, problems, draft: textOf(request, 'draft') });
    }
    const before = await signedIn(web, request);
    if (before) await web.sessions.end(before);
    const draft = readDraft(textOf(request, 'draft'), web.settings.origin);
    const browser = { userAgent: request.headers['user-agent'] ?? '', draft };
    keepSignedIn(cookies, reply, await beginSession(web.em, web.sessions, recognized, browser));
    return await reply.redirect(draft?.path ?? to, 303);
  });

  app.post('/sign-out', FOR_STRANGERS, async (request, reply) => {
    const visitor = await signedIn(web, request);
    if (visitor) await web.sessions.end(visitor);
    cookies.clear(reply, 'session');
    return await reply.redirect('/sign-in', 303);
  });
  return Promise.resolve();
};

function sendSignIn(web: Web, request: FastifyRequest, reply: FastifyReply, form: SignInForm): Promise<FastifyReply> {
  return sendPage(web, request, reply, {
    title: 'Sign in',
    problems: form.problems,
    body: <SignInFields {...form} />,
  });
}
