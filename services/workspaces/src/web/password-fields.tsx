import type { VNode } from 'preact';
import { MIN_PASSWORD_LENGTH, type SecretField } from '../domain/account.js';
import { Button, Field, Form } from './forms.js';
import type { Wording } from './sent-form.js';

export const PASSWORD_WORDING: Wording = {
  'password too_short': `The password must be ${MIN_PASSWORD_LENGTH} characters or more`,
  'password too_long': 'The password must be 256 characters or fewer',
  'password invalid_characters': 'The password contains characters that are not allowed',
  'password too_common': 'This password is too easy to guess: choose words that have nothing to do with you',
  'repeated different': 'The two passwords do not match',
};

export function CurrentPassword(own: { name?: SecretField; label?: string }): VNode {
  return <Field name="password" label="Password" type="password" autocomplete="current-password" {...own} />;
}

/** Asked twice, as there is no e-mail by which a mistyped password could be reset. */
export function NewPasswordFields(): VNode {
  return (
    <>
      <Field
        name="password"
        label="New password"
        hint={`${MIN_PASSWORD_LENGTH} characters or more. Four unrelated words work well; any characters are allowed.`}
        type="password"
        autocomplete="new-password"
      />
      <Field name="repeated" label="Repeat the password" type="password" autocomplete="new-password" />
    </>
  );
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
