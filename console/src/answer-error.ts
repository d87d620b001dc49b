import * as kit from '@payroll/pages';
import type { ConsoleExchange } from './exchange.js';
import { keepTypedForm } from './typed-forms.js';
import { visit } from './visit.js';
import { workVisit } from './work/visit.js';

const WORDINGS: kit.Wordings = {
  STALE_RESOURCE_VERSION: [
    409,
    'It has changed meanwhile',
    'Nothing was done. Open the page again to see what it is now.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'This form was sent already',
    'What it asked for was done the first time. If you did not save the secret that was shown, revoke that key and make another.',
  ],
};

export async function answerError(at: ConsoleExchange, failure: unknown): Promise<kit.Answer> {
  const keepTyped = () => at.run(keepTypedForm, { draft: JSON.stringify(kit.draftOf(at.request)) });
  const { log } = at.application;
  return await kit.answerError(at, failure, { log, wordings: WORDINGS, keepTyped, showPlace });
}

/** For members and workers. Other people get 404, as for a workspace that does not exist. */
async function showPlace(at: ConsoleExchange): Promise<void> {
  if (at.place === null) await (at.isWork ? workVisit(at) : visit(at)).catch(() => {});
  const { place } = at;
  if (!place) return;
  const navigation = place.navigation.map((group) => group.map((link) => ({ ...link, isHere: false })));
  at.place = { ...place, navigation, crumbs: [] };
}
