import { type Page, type Problem, readDraft, SignInFields, type SignInForm, textOf } from '@payroll/pages';
import { checkPassword } from '../../accounts/sign-in.js';
import type { RouteTable } from '../routes.js';

export const signInPages: RouteTable = {
  'GET /sign-in': async (at) => {
    const to = at.returnPath;
    return (await at.signedIn()) ? { to } : signInPage({ to, email: '', draft: '' });
  },

  'POST /sign-in': async (at) => {
    const [to, email, draftText] = [at.returnPath, textOf(at, 'email'), textOf(at, 'draft')];
    const { em, sessions, settings } = at.web;
    const recognized = await checkPassword(em, at.attempt(email, textOf(at, 'password')));
    if (recognized === null) {
      const wrong = { field: 'email', message: 'The e-mail address or the password is wrong' };
      return signInPage({ to, email, draft: draftText }, [wrong]);
    }
    const before = await at.signedIn();
    if (before) await sessions.end(before);
    const draft = readDraft(draftText, settings.origin);
    await at.signIn(recognized, draft);
    return { to: draft?.path ?? to };
  },

  'POST /sign-out': async (at) => {
    const visitor = await at.signedIn();
    if (visitor) await at.web.sessions.end(visitor);
    at.signOut();
    return { to: '/sign-in' };
  },
};

function signInPage(form: SignInForm, problems: readonly Problem[] = []): Page {
  return { title: 'Sign in', problems, body: <SignInFields {...form} /> };
}
