import { errorForLog, isPasswordNotRecent, isSecondFactorMissing } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import { confirmPath, SignInRedirect, formPagePath, secondFactorPath } from './sign-in-redirect.js';
import type { PageResponse, PageContext } from './page-context.js';
import { StaleFormError } from './form-guard.js';
import { errorPage, type ErrorPageTexts } from './refusal.js';
import { signInResponse } from './sign-in-fields.js';

interface ErrorPages<At extends PageContext> {
  log: Log;
  wordings?: ErrorPageTexts;
  /** The refusal that an error of a library stands for. */
  asRefusal?: (error: unknown) => unknown;
  /** Keeps what was typed into a form that cannot be accepted yet. @throws SignInRedirect if no person is signed in. */
  keepTyped: (at: At) => Promise<unknown>;
  /** For an unknown address: finds the workspace whose navigation the error page shows, if any. */
  showPlace?: (at: At) => Promise<unknown>;
}

/** The answer to an error: a redirect to the sign-in page and back, or an error page. Details go to the log only. */
export async function answerError<At extends PageContext>(
  at: At,
  failure: unknown,
  { log, wordings, asRefusal = (error) => error, keepTyped, showPlace }: ErrorPages<At>,
): Promise<PageResponse> {
  const isLost = failure instanceof StaleFormError || isPasswordNotRecent(failure);
  const thrown = isLost ? await keepTyped(at).then(() => failure, asRefusal) : asRefusal(failure);
  if (isPasswordNotRecent(thrown)) return { to: confirmPath(formPagePath(at.request)) };
  if (isSecondFactorMissing(thrown)) {
    const notice = 'This workspace requires a second factor of its admins. Set one up, and go on.';
    return { to: secondFactorPath(formPagePath(at.request)), notice };
  }
  if (thrown instanceof SignInRedirect) {
    return thrown.to === 'password' ? { to: confirmPath(thrown.returnPath) } : signInResponse(at, thrown.returnPath);
  }
  const page = errorPage(at, thrown, wordings);
  if (page.status === 404) await showPlace?.(at);
  if (page.status === 500) log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  return page;
}
