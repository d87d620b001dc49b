import { errorForLog, isPasswordNotRecent, isSecondFactorMissing } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import { confirmPath, Detour, pageOf, secondFactorPath } from './detour.js';
import type { Answer, Exchange } from './exchange.js';
import { FormTooOld } from './form-guard.js';
import { refusalPage, type Wordings } from './refusal.js';
import { bySignIn } from './sign-in-fields.js';

export interface ErrorPages<At extends Exchange> {
  log: Log;
  wordings?: Wordings;
  /** The refusal that an error of a library stands for. */
  asRefusal?: (error: unknown) => unknown;
  /** Keeps what was typed into a form that cannot be accepted yet. @throws Detour if no person is signed in. */
  keepTyped: (at: At) => Promise<unknown>;
  /** For an unknown address: finds the workspace whose navigation the error page shows, if any. */
  showPlace?: (at: At) => Promise<unknown>;
}

/** The answer to an error: a redirect to the sign-in page and back, or an error page. Details go to the log only. */
export async function answerError<At extends Exchange>(
  at: At,
  failure: unknown,
  { log, wordings, asRefusal = (error) => error, keepTyped, showPlace }: ErrorPages<At>,
): Promise<Answer> {
  const isLost = failure instanceof FormTooOld || isPasswordNotRecent(failure);
  const thrown = isLost ? await keepTyped(at).then(() => failure, asRefusal) : asRefusal(failure);
  if (isPasswordNotRecent(thrown)) return { to: confirmPath(pageOf(at.request)) };
  if (isSecondFactorMissing(thrown)) {
    const notice = 'This workspace requires a second factor of its admins. Set one up, and go on.';
    return { to: secondFactorPath(pageOf(at.request)), notice };
  }
  if (thrown instanceof Detour) {
    return thrown.to === 'password' ? { to: confirmPath(thrown.returnPath) } : bySignIn(at, thrown.returnPath);
  }
  const page = refusalPage(at, thrown, wordings);
  if (page.status === 404) await showPlace?.(at);
  if (page.status === 500) log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  return page;
}
