import { Field, type FieldMessages, textOf } from '@payroll/pages';
import type { VNode } from 'preact';
import { MIN_PASSWORD_LENGTH } from '../domain/password.js';
import { type ErrorDetail, newId } from '@payroll/kernel';
import { write } from '@payroll/store';
import type { Coder } from '../accounts/second-factor.js';
import { tellAccount } from '../mail/outbox.js';
import type { AccountContext } from './account-context.js';

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

export const CODE_WORDING: FieldMessages = {
  'code missing': 'Enter the code of your authenticator app',
  'code wrong': 'This code is wrong or was used already: wait until your authenticator app shows the next one',
};

export function CodeField({ hint = 'Six digits of your authenticator app, or one of your recovery codes' }): VNode {
  return <Field name="code" label="Code" hint={hint} autocomplete="one-time-code" />;
}

/** Uses up the code of the form. @throws DomainError `RATE_LIMITED` */
export async function problemsOfCode(ctx: AccountContext, coder: Coder): Promise<ErrorDetail[]> {
  const { em, secondFactors } = ctx.web;
  const typed = textOf(ctx, 'code').trim();
  if (typed === '') return [{ path: 'code', code: 'missing' }];
  const kind = await secondFactors.redeem(coder, typed, new Date());
  if (kind === 'recovery') {
    await write(em, tellAccount({ sourceId: newId(), accountId: coder.accountId, kind: 'recovery_code_used' }));
  }
  return kind === null ? [{ path: 'code', code: 'wrong' }] : [];
}
