import type { VNode } from 'preact';
import type { SecretField } from './draft.js';
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
  return (
    <Form action="/sign-in">
      <input type="hidden" name="return_to" value={to} />
      {draft !== '' && <input type="hidden" name="draft" value={draft} />}
      <Field name="email" label="E-mail address" type="email" autocomplete="username" value={email} />
      <CurrentPassword />
      <Button>Sign in</Button>
      <p class="hint">
        No account yet? Ask an admin of your workspace for an invitation. Forgotten your password? Whoever operates this
        service can set a new one.
      </p>
    </Form>
  );
}
