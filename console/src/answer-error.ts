import { errorForLog, isPasswordNotRecent } from '@payroll/kernel';
import {
  bySignIn,
  confirmPath,
  Detour,
  draftOf,
  FormTooOld,
  pageOf,
  refusalPage,
  type Answer,
  type Wordings,
} from '@payroll/pages';
import type { ConsoleExchange } from './exchange.js';
import { visit } from './visit.js';
import { keepTypedForm } from './typed-forms.js';

const WORDINGS: Wordings = {
  STALE_RESOURCE_VERSION: [
    409,
    'It has changed meanwhile',
    'Nothing was done. Open the page again to see what it is now.',
  ],
};

/** An error page. Internal details go to the log only. */
export async function answerError(at: ConsoleExchange, failure: unknown): Promise<Answer> {
  const isLost = failure instanceof FormTooOld || isPasswordNotRecent(failure);
  const thrown = isLost ? await keepWhatWasTyped(at, failure) : failure;
  if (isPasswordNotRecent(thrown)) return { to: confirmPath(pageOf(at.request)) };
  if (thrown instanceof Detour && thrown.to === 'password') return { to: confirmPath(thrown.returnPath) };
  if (thrown instanceof Detour) return bySignIn(at, thrown.returnPath);
  const page = refusalPage(at, thrown, WORDINGS);
  if (page.status === 404) await at.showWorkspace(() => visit(at, 'overview'));
  if (page.status === 500) {
    at.application.log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  }
  return page;
}

/** Keeps what was typed in a form that cannot be accepted yet: the page shows it again after the detour. */
async function keepWhatWasTyped(at: ConsoleExchange, refusal: unknown): Promise<unknown> {
  try {
    await at.run(keepTypedForm, { draft: JSON.stringify(draftOf(at.request)) });
    return refusal;
  } catch (error) {
    return error;
  }
}
