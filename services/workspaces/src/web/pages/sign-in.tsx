import {
  type Answer,
  Button,
  Choices,
  Form,
  type Page,
  type Problem,
  readDraft,
  SignInFields,
  type SignInForm,
  textOf,
  toProblems,
} from '@payroll/pages';
import { type Coder, TRUSTED_DAYS } from '../../accounts/second-factor.js';
import { checkPassword, type Recognized } from '../../accounts/sign-in.js';
import { normalizeEmail } from '../../domain/account.js';
import { CODE_WORDING, CodeField, problemsOfCode } from '../code-field.js';
import type { OwnExchange } from '../exchange.js';
import type { RouteTable } from '../routes.js';

/** Where the person goes on, and a form that waits for it. */
type Onward = Pick<SignInForm, 'to' | 'draft'>;

export const signInPages: RouteTable = {
  'GET /sign-in': async (at) => {
    const to = at.returnPath;
    return (await at.signedIn()) ? { to } : signInPage({ to, email: '', draft: '' });
  },

  'POST /sign-in': async (at) => {
    const [onward, email] = [onwardOf(at), textOf(at, 'email')];
    const recognized = await checkPassword(at.web.em, at.attempt(email, textOf(at, 'password')));
    if (recognized === null) {
      const wrong = { field: 'email', message: 'The e-mail address or the password is wrong' };
      return signInPage({ ...onward, email }, [wrong]);
    }
    return await askForCode(at, { ...recognized, email: normalizeEmail(email) }, onward, (proof) =>
      enter(at, recognized, onward, proof),
    );
  },

  'GET /sign-in/code': () => Promise.resolve({ to: '/sign-in' }),

  'POST /sign-in/code': async (at) => {
    const [onward, sealed] = [onwardOf(at), textOf(at, 'sealed')];
    const coder = await at.web.secondFactors.openSignIn(sealed, at.browserHash, new Date());
    if (coder === null) {
      return signInPage({ ...onward, email: '' }, [{ field: null, message: 'This took too long. Sign in again' }]);
    }
    const problems = await problemsOfCode(at, coder);
    if (problems.length > 0) return codePage(onward, sealed, toProblems(problems, CODE_WORDING));
    const trustedDays = textOf(at, 'trust') === 'yes' ? TRUSTED_DAYS : 0;
    return await enter(at, coder, onward, { isProven: true, trustedDays });
  },

  'POST /sign-out': async (at) => {
    const visitor = await at.signedIn();
    if (visitor) await at.web.sessions.end(visitor);
    at.signOut();
    return { to: '/sign-in' };
  },
};

/**
 * After the right password: `go` at once if the account has no second factor or trusts this browser, which is then no
 * recent proof; otherwise the page for the code, without which no session begins.
 */
export async function askForCode(
  at: OwnExchange,
  coder: Coder,
  onward: Onward,
  go: (proof: { isProven: boolean }) => Promise<Answer>,
): Promise<Answer> {
  const factor = await at.web.secondFactors.find(coder);
  if (factor === null || factor.isTrusted) return await go({ isProven: factor === null });
  return codePage(onward, at.web.secondFactors.sealSignIn(coder, factor.passwordOf, at.browserHash, new Date()));
}

async function enter(
  at: OwnExchange,
  recognized: Recognized,
  onward: Onward,
  proof: { isProven: boolean; trustedDays?: number },
): Promise<Answer> {
  const before = await at.signedIn();
  if (before) await at.web.sessions.end(before);
  const draft = readDraft(onward.draft, at.web.settings.origin);
  await at.signIn(recognized, proof, draft);
  return { to: draft?.path ?? onward.to };
}

function onwardOf(at: OwnExchange): Onward {
  return { to: at.returnPath, draft: textOf(at, 'draft') };
}

function signInPage(form: SignInForm, problems: readonly Problem[] = []): Page {
  return { title: 'Sign in', problems, body: <SignInFields {...form} /> };
}

function codePage({ to, draft }: Onward, sealed: string, problems: readonly Problem[] = []): Page {
  const label = `Do not ask for a code in this browser for ${TRUSTED_DAYS} days`;
  return {
    title: 'Enter your code',
    lead: 'Your password is right. This account has a second factor.',
    problems,
    body: (
      <>
        <Form action="/sign-in/code">
          <input type="hidden" name="return_to" value={to} />
          {draft !== '' && <input type="hidden" name="draft" value={draft} />}
          <input type="hidden" name="sealed" value={sealed} />
          <CodeField />
          <Choices
            name="trust"
            legend="On your own device"
            type="checkbox"
            choices={[{ value: 'yes', label, hint: 'Changes that give access or move money still ask for one' }]}
          />
          <Button>Sign in</Button>
        </Form>
        <p class="hint">
          Lost your phone? Use a recovery code. Without one, ask whoever runs this service to reset your second factor.
        </p>
      </>
    ),
  };
}
