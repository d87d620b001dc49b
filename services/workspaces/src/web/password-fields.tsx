import { Field, type FieldMessages } from '@payroll/pages';
import type { VNode } from 'preact';
import { MIN_PASSWORD_LENGTH } from '../domain/password.js';

export const PASSWORD_WORDING: FieldMessages = {
  'password too_short': `The password must be ${MIN_PASSWORD_LENGTH} characters or more`,
  'password too_long': 'The password must be 256 characters or fewer',
  'password invalid_characters': 'The password contains characters that are not allowed',
  'password too_common':
    'This password is too easy to guess: choose four words that have nothing to do with you, your work or each other',
  'repeated different': 'The two passwords do not match',
};

/** Typed twice: a typing error would require a mail, or an operator's help if the deployment sends none. */
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
