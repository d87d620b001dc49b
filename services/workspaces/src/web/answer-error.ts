import { errorForLog, isPasswordNotRecent } from '@payroll/kernel';
import { asDomainError } from '@payroll/store';
import type { FastifyRequest } from 'fastify';
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
import type { OwnExchange } from './exchange.js';
import { visit } from './visit.js';

const WORDINGS: Wordings = {
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'This form was sent already',
    'What it asked for was done the first time. If you did not save the secret that was shown, revoke that key and make another.',
  ],
};

/** An error page. Internal details go to the log only. */
export async function answerError(at: OwnExchange, thrown: unknown): Promise<Answer> {
  const detour = await detourOf(at, thrown);
  if (detour) return await takeDetour(at, detour);
  const { request } = at;
  const isTooOld = thrown instanceof FormTooOld;
  // Somebody has signed in meanwhile, in another window.
  if (isTooOld && !isForStrangers(request)) await keepDraft(at);
  const error = isTooOld ? thrown : asDomainError(thrown);
  const page = refusalPage(at, error, WORDINGS);
  if (page.status === 404) await at.showWorkspace(() => visit(at, 'overview'));
  if (page.status === 500) at.web.log.error({ requestId: request.id, error: errorForLog(error) }, 'a page failed');
  return page;
}

async function detourOf(at: OwnExchange, thrown: unknown): Promise<Detour | null> {
  if (thrown instanceof Detour) return thrown;
  if (isPasswordNotRecent(thrown)) return new Detour('password', pageOf(at.request));
  const isLost = thrown instanceof FormTooOld && !isForStrangers(at.request);
  return isLost && !(await at.signedIn()) ? new Detour('sign-in', pageOf(at.request)) : null;
}

function isForStrangers({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isForStrangers === true;
}

/** What was typed waits in the session, or in the sign-in page. */
async function takeDetour(at: OwnExchange, { to, returnPath }: Detour): Promise<Answer> {
  if (to === 'sign-in') return bySignIn(at, returnPath);
  if (at.isForm) await keepDraft(at);
  return { to: confirmPath(returnPath) };
}

/** Until the page that it was typed into is shown again. */
async function keepDraft(at: OwnExchange): Promise<void> {
  const visitor = await at.signedIn();
  if (visitor) await at.web.sessions.keepDraft(visitor, draftOf(at.request));
}
