import type { VNode } from 'preact';
import { Button, Field, Form } from './forms.js';
import type { Problems } from './problems.js';

export interface SignInForm {
  to: string;
  email: string;
  problems: Problems;
  /** A form that waits for the sign-in, as JSON; the empty text where none does. */
  draft: string;
}

export function SignInFields({ to, email, problems, draft }: SignInForm): VNode {
  return (
    <Form action="/sign-in">
      <input type="hidden" name="return_to" value={to} />
      {draft !== '' && <input type="hidden" name="draft" value={draft} />}
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
