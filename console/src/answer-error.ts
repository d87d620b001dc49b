import { errorForLog } from '@payroll/kernel';
import { bySignIn, Detour, draftOf, FormTooOld, refusalPage, type Answer, type Wordings } from '@payroll/pages';
import type { ConsoleExchange } from './exchange.js';
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
  at.place = null;
  const thrown = failure instanceof FormTooOld ? await keepWhatWasTyped(at, failure) : failure;
  if (thrown instanceof Detour) return bySignIn(at, thrown.returnPath);
  const page = refusalPage(at, thrown, WORDINGS);
  if (page.status === 500) {
    at.application.log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  }
  return page;
}

/** Somebody has signed in meanwhile, in another window, or is signed out: what they typed is back in either case. */
async function keepWhatWasTyped(at: ConsoleExchange, tooOld: FormTooOld): Promise<unknown> {
  try {
    await at.run(keepTypedForm, { draft: JSON.stringify(draftOf(at.request)) });
    return tooOld;
  } catch (error) {
    return error;
  }
}
