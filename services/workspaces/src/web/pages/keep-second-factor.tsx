import { DomainError, SCOPES } from '@payroll/kernel';
import { Button, Form, hashSecret, isSecret, type Page, Time } from '@payroll/pages';
import { findFactorReset } from '../../accounts/second-factor.js';
import { NO_WORKSPACE } from '../../commands/internal-tokens.js';
import { keepSecondFactor } from '../../commands/second-factor.js';
import { formPage } from '../routes.js';

/** The page of the mailed link that stops an operator's reset. A button, because mail programs open links. */
export const keepSecondFactorPage = formPage('/keep-second-factor/:secret', {
  enter: async (at) => {
    const secret = at.param('secret');
    return { reset: isSecret(secret) ? await findFactorReset(at.web.em, hashSecret(secret)) : null };
  },
  view: ({ reset }) =>
    reset
      ? {
          title: 'Keep your second factor?',
          lead: (
            <>
              The second factor of {reset.name} ({reset.email}) will be removed <Time at={reset.resetAt} />, because the
              operator was told that it is lost.
            </>
          ),
          body: (
            <Form>
              <Button>Keep the second factor</Button>
            </Form>
          ),
        }
      : OVER,
  send: async ({ reset }, at) => {
    if (!reset) return OVER;
    const { id: accountId, email: person } = reset;
    const holder = { kind: 'person', person, principalId: accountId, workspaceId: NO_WORKSPACE, role: null } as const;
    const actor = { ...holder, sessionId: null, hasRecentPassword: false, scopes: SCOPES };
    const input = { accountId, stopHash: hashSecret(at.param('secret')) };
    try {
      await at.web.commands.run(keepSecondFactor, input, { actor, via: 'web', requestId: at.request.id });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return OVER;
      throw error;
    }
    return { to: '/sign-in', notice: 'Your second factor stays. Sign in and change your password.' };
  },
});

const OVER: Page = {
  title: 'This link is no longer open',
  status: 404,
  lead: 'The second factor was kept already, or it has been removed.',
  body: (
    <p>
      <a href="/account/second-factor">Look at your second factor</a>
    </p>
  ),
};
