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
  type Place,
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
  if (page.status === 404) await showWhere(at);
  if (page.status === 500) {
    at.application.log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  }
  return page;
}

/** Somebody who comes to an address of their workspace that names nothing finds the way from there. */
async function showWhere(at: ConsoleExchange): Promise<void> {
  if (at.place !== null || at.workspaceId === '') return;
  try {
    await visit(at, 'overview');
    at.place = at.place && { ...(at.place as Place), room: null };
  } catch {
    // A stranger there: nothing says whether there is such a workspace.
    at.place = null;
  }
}

/** Somebody has to give their password, has signed in in another window, or is signed out: what they typed is back after it. */
async function keepWhatWasTyped(at: ConsoleExchange, refusal: unknown): Promise<unknown> {
  try {
    await at.run(keepTypedForm, { draft: JSON.stringify(draftOf(at.request)) });
    return refusal;
  } catch (error) {
    return error;
  }
}
