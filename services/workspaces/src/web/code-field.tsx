import { type ErrorDetail, newId } from '@payroll/kernel';
import { Field, textOf, type FieldMessages } from '@payroll/pages';
import { write } from '@payroll/store';
import type { VNode } from 'preact';
import type { Coder } from '../accounts/second-factor.js';
import { tellAccount } from '../mail/outbox.js';
import type { AccountContext } from './account-context.js';

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
