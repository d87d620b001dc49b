import { processLabels } from '@payroll/runtime';
import type { VNode } from 'preact';
import { signInPath } from './sign-in-redirect.js';
import { savedFormOf, type SecretField } from './sent-form.js';
import type { PageResponse, PageContext } from './page-context.js';
import { Button, Field, Form } from './forms.js';

export function CurrentPassword(own: { name?: SecretField; label?: string }): VNode {
  return <Field name="password" label="Password" type="password" autocomplete="current-password" {...own} />;
}

export interface SignInForm {
  to: string;
  email: string;
  /** A form that waits for the sign-in, as JSON; the empty text where none does. */
  draft: string;
}

export function SignInFields({ to, email, draft }: SignInForm): VNode {
  const { cell } = processLabels;
  return (
    <Form action="/sign-in">
      <input type="hidden" name="return_to" value={to} />
      {draft !== '' && <input type="hidden" name="draft" value={draft} />}
      <Field name="email" label="Email address" type="email" autocomplete="username" value={email} />
      <CurrentPassword />
      <Button>Sign in</Button>
      <p class="hint">
        <a href="/forgot-password">Forgot your password?</a> No account yet? Ask an admin of your workspace for an
        invitation.
      </p>
      {cell !== undefined && (
        <p class="hint">This is {cell}. Accounts of other cells sign in at their own addresses.</p>
      )}
    </Form>
  );
}

const SIGNED_OUT = 'You are no longer signed in, so nothing was done. Sign in, and what you typed will be back.';

/** A submitted form has not been carried out. Its input is saved in the sign-in page, never in an address. */
export function signInResponse(ctx: PageContext, returnPath: string, lead = SIGNED_OUT): PageResponse {
  if (!ctx.isForm) return { to: signInPath(returnPath) };
  const draft = savedFormOf(ctx.request);
  return {
    title: 'Sign in to continue',
    status: 401,
    lead,
    body: <SignInFields to={draft.path} email="" draft={JSON.stringify(draft)} />,
  };
}
