import { DomainError, errorForLog } from '@payroll/kernel';
import { asDomainError } from '@payroll/store';
import type { FastifyError, FastifyRequest } from 'fastify';
import { PASSWORD_NOT_RECENT } from '../commands/access.js';
import { confirmPath, Detour, draftOf, pageOf, signInPath } from './detour.js';
import type { Answer, Exchange } from './exchange.js';
import { FormTooOld, notFromHere } from './form-guard.js';
import { SignInFields } from './password-fields.js';

/** With a sentence where the one of the refusal is for programs. */
type Wording = readonly [status: number, title: string, message?: string];

const ANSWERS: Readonly<Partial<Record<DomainError['code'], Wording>>> = {
  INVALID_REQUEST: [403, 'This request was not accepted'],
  VALIDATION_FAILED: [422, 'Something is not right'],
  INSUFFICIENT_SCOPE: [403, 'You may not do this'],
  NOT_FOUND: [404, 'Page not found'],
  INVALID_STATE: [409, 'This is not possible now'],
  RATE_LIMITED: [429, 'Too many attempts'],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'This form was sent already',
    'What it asked for was done the first time. If you did not save the secret that was shown, revoke that key and make another.',
  ],
  SERVICE_UNAVAILABLE: [503, 'Try again in a moment'],
};

/** An error page. Internal details go to the log only. */
export async function answerError(at: Exchange, thrown: unknown): Promise<Answer> {
  at.place = null;
  const detour = await detourOf(at, thrown);
  if (detour) return await takeDetour(at, detour);
  const { request } = at;
  const isTooOld = thrown instanceof FormTooOld;
  // Somebody has signed in meanwhile, in another window.
  if (isTooOld && !isForStrangers(request)) await keepDraft(at);
  const error = isTooOld ? notFromHere() : asDomainError(thrown);
  const { status, title, lead } = describe(error);
  if (status === 500) at.web.log.error({ requestId: request.id, error: errorForLog(error) }, 'a page failed');
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined) {
    at.reply.header('Retry-After', error.retryAfterSeconds);
  }
  const body = (
    <>
      <p>{isTooOld ? <a href={pageOf(request)}>Open its page again</a> : <a href="/">Go to the start page</a>}</p>
      <p class="hint">
        Request <code>{request.id}</code>
      </p>
    </>
  );
  return { title, lead, status, body };
}

function describe(error: unknown) {
  if (error instanceof DomainError) {
    const [status, title, message] = ANSWERS[error.code] ?? [500, 'Something went wrong'];
    return { status, title, lead: message ?? error.message };
  }
  const { statusCode = 500 } = error as Partial<FastifyError>;
  return statusCode < 500
    ? { status: statusCode, title: 'This request was not accepted', lead: 'It could not be read.' }
    : { status: 500, title: 'Something went wrong', lead: 'This is our mistake. Try again later.' };
}

async function detourOf(at: Exchange, thrown: unknown): Promise<Detour | null> {
  if (thrown instanceof Detour) return thrown;
  if (isPasswordNotRecent(thrown)) return new Detour('password', pageOf(at.request));
  const isLost = thrown instanceof FormTooOld && !isForStrangers(at.request);
  return isLost && !(await at.signedIn()) ? new Detour('sign-in', pageOf(at.request)) : null;
}

function isPasswordNotRecent(thrown: unknown): boolean {
  const { path, code } = PASSWORD_NOT_RECENT;
  const details = thrown instanceof DomainError ? thrown.details : [];
  return details?.some((each) => each.path === path && each.code === code) ?? false;
}

function isForStrangers({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isForStrangers === true;
}

/** A form that was sent has done nothing. What was typed waits on our side or in the sign-in page, never in an address. */
async function takeDetour(at: Exchange, { to, returnPath }: Detour): Promise<Answer> {
  if (to === 'password') {
    if (at.isForm) await keepDraft(at);
    return { to: confirmPath(returnPath) };
  }
  if (!at.isForm) return { to: signInPath(returnPath) };
  const draft = draftOf(at.request);
  return {
    title: 'Sign in to continue',
    status: 401,
    lead: 'You are no longer signed in, so nothing was done. Sign in, and what you typed will be back.',
    body: <SignInFields to={draft.path} email="" draft={JSON.stringify(draft)} />,
  };
}

/** Until the page that it was typed into is shown again. */
async function keepDraft(at: Exchange): Promise<void> {
  const visitor = await at.signedIn();
  if (visitor) await at.web.sessions.keepDraft(visitor, draftOf(at.request));
}
