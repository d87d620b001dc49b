import {
  type PageResponse,
  Button,
  ChoiceGroup,
  Form,
  type PageView,
  type Problem,
  parseSavedForm,
  SignInFields,
  type SignInForm,
  textOf,
  toProblems,
  sectionPath,
  workPath,
} from '@payroll/pages';
import { type PendingCoder, TRUSTED_DAYS } from '../../accounts/second-factor.js';
import { checkPassword, type PasswordMatch } from '../../accounts/sign-in.js';
import { normalizeEmail } from '../../domain/account.js';
import { CODE_WORDING, CodeField, problemsOfCode } from '../secret-fields.js';
import type { AccountContext, RouteTable } from '../account-context.js';
import { membershipsOfAccount, employersOfAccount } from '../../queries/members.js';

/** Where the person goes on, and a form that waits for it. */
type Onward = Pick<SignInForm, 'to' | 'draft'>;

export const signInPages: RouteTable = {
  'GET /sign-in': async (ctx) => {
    const to = ctx.returnPath;
    return (await ctx.signedIn()) ? { to } : signInPage({ to, email: '', draft: '' });
  },

  'POST /sign-in': async (ctx) => {
    const [onward, email] = [onwardOf(ctx), textOf(ctx, 'email')];
    const recognized = await checkPassword(ctx.web.em, ctx.attempt(email, textOf(ctx, 'password')));
    if (recognized === null) {
      const wrong = { field: 'email', message: 'The email address or the password is wrong' };
      return signInPage({ ...onward, email }, [wrong]);
    }
    return await askForCode(ctx, { ...recognized, email: normalizeEmail(email) }, onward, (proof) =>
      enter(ctx, recognized, onward, proof),
    );
  },

  'GET /sign-in/code': () => Promise.resolve({ to: '/sign-in' }),

  'POST /sign-in/code': async (ctx) => {
    const [onward, sealed] = [onwardOf(ctx), textOf(ctx, 'sealed')];
    const coder = await ctx.web.secondFactors.openSignIn(sealed, ctx.browserHash, new Date());
    if (coder === null) {
      return signInPage({ ...onward, email: '' }, [{ field: null, message: 'This took too long. Sign in again' }]);
    }
    const problems = await problemsOfCode(ctx, coder);
    if (problems.length > 0) return codePage(onward, sealed, toProblems(problems, CODE_WORDING));
    const trustedDays = textOf(ctx, 'trust') === 'yes' ? TRUSTED_DAYS : 0;
    return await enter(ctx, coder, onward, { isProven: true, trustedDays });
  },

  'POST /sign-out': async (ctx) => {
    const visitor = await ctx.signedIn();
    if (visitor) await ctx.web.sessions.end(visitor);
    ctx.signOut();
    return { to: '/sign-in' };
  },
};

/**
 * After the right password: `go` at once if the account has no second factor or trusts this browser, which is then no
 * recent proof; otherwise the page for the code, without which no session begins.
 */
export async function askForCode(
  ctx: AccountContext,
  coder: PendingCoder,
  onward: Onward,
  go: (proof: { isProven: boolean }) => Promise<PageResponse>,
): Promise<PageResponse> {
  const factor = await ctx.web.secondFactors.find(coder);
  if (factor === null || factor.isTrusted) return await go({ isProven: factor === null });
  return codePage(onward, ctx.web.secondFactors.sealSignIn(coder, ctx.browserHash, new Date()));
}

async function enter(
  ctx: AccountContext,
  recognized: PasswordMatch,
  onward: Onward,
  proof: { isProven: boolean; trustedDays?: number },
): Promise<PageResponse> {
  const before = await ctx.signedIn();
  const draft = parseSavedForm(onward.draft, ctx.web.settings.origin);
  if (!(await ctx.signIn(recognized, proof, draft))) {
    return signInPage({ ...onward, email: '' }, [
      { field: null, message: 'Your account was changed meanwhile. Sign in again' },
    ]);
  }
  if (before) await ctx.web.sessions.end(before);
  return { to: draft?.path ?? onward.to };
}

function onwardOf(ctx: AccountContext): Onward {
  return { to: ctx.returnPath, draft: textOf(ctx, 'draft') };
}

/** A form that waits for the sign-in is nowhere else than in its page: an error page has it, too. */
export function withDraft(ctx: AccountContext, page: PageResponse): PageResponse {
  const onward = onwardOf(ctx);
  if (onward.draft === '' || !('title' in page)) return page;
  const body = (
    <>
      {page.body}
      <SignInFields {...onward} email={textOf(ctx, 'email')} />
    </>
  );
  return { ...page, body };
}

function signInPage(form: SignInForm, problems: readonly Problem[] = []): PageView {
  return { title: 'Sign in', problems, body: <SignInFields {...form} /> };
}

function codePage({ to, draft }: Onward, sealed: string, problems: readonly Problem[] = []): PageView {
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
          <ChoiceGroup
            name="trust"
            legend="On your own device"
            type="checkbox"
            choices={[{ value: 'yes', label, hint: 'Changes that give access or move money still ask for one' }]}
          />
          <Button>Sign in</Button>
        </Form>
        {problems.length > 0 && (
          <p>
            If you pressed the button twice, you may be signed in already. <a href={to}>Go on</a>
          </p>
        )}
        <p class="hint">
          Lost your phone? Use a recovery code. Without one, ask whoever runs this service to reset your second factor.
        </p>
      </>
    ),
  };
}

export const workspacePages: RouteTable = {
  'GET /': () => Promise.resolve({ to: '/workspaces' }),
  'GET /workspaces': choicePage,
};

async function choicePage(ctx: AccountContext): Promise<PageView | { to: string }> {
  const { account } = await ctx.requireSignIn();
  const [memberships, employers] = await Promise.all([
    membershipsOfAccount(ctx.web.em, account.id),
    employersOfAccount(ctx.web.em, account.id),
  ]);
  // The page of a worker's employers lists them all, with what waits.
  if (memberships.length === 0 && employers.length > 0) return { to: '/work' };
  const places = [
    ...memberships.map(({ workspaceId, workspaceName, role }) => {
      return { path: sectionPath(workspaceId, ''), workspaceName, tag: role };
    }),
    ...employers.map(({ workspaceId, workspaceName }) => ({
      path: workPath(workspaceId),
      workspaceName,
      tag: 'worker',
    })),
  ];
  const body =
    places.length === 0 ? (
      <p class="lead">You do not belong to a workspace at the moment. Ask an admin for an invitation.</p>
    ) : (
      <>
        {employers.length > 0 && (
          <p>
            <a href="/work">What waits for you as a worker, and what you are owed</a>
          </p>
        )}
        <ul class="cards">
          {places.map(({ path, workspaceName, tag }) => (
            <li key={path}>
              <a href={path}>{workspaceName}</a>
              <span class="tag">{tag}</span>
            </li>
          ))}
        </ul>
      </>
    );
  return { title: 'Choose a workspace', body };
}
