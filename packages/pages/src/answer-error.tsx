import { errorForLog, isPasswordNotRecent, isSecondFactorMissing, DomainError, isDomainError } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { Button, Form } from './forms.js';
import { confirmPath, SignInRedirect, formPagePath, secondFactorPath } from './sign-in-redirect.js';
import type { PageResponse, PageContext, PageView } from './page-context.js';
import { StaleFormError, foreignFormError } from './form-guard.js';
import { isSecretField, OPERATION_FIELD, PERSON_FIELD, type SavedForm, TOKEN_FIELD } from './sent-form.js';
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
  /** Where a refusal leads; the start page if null. */
  wayOut?: (at: At, refusal: unknown) => { label: string; path: string } | null;
}

/** The answer to an error: a redirect to the sign-in page and back, or an error page. Details go to the log only. */
export async function answerError<At extends PageContext>(
  at: At,
  failure: unknown,
  { log, wordings, asRefusal = (error) => error, keepTyped, showPlace, wayOut }: ErrorPages<At>,
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
  const again = isOutage(thrown) ? repeatedForm(at.request) : null;
  const out = wayOut?.(at, thrown) ?? { label: 'Go to the start page', path: '/' };
  const page = errorPage(at, thrown, { wordings, again, out });
  if (page.status === 404) await showPlace?.(at);
  if (page.status === 500) log.error({ requestId: at.request.id, error: errorForLog(thrown) }, 'a page failed');
  return page;
}

/** With a sentence where the one of the refusal is for programs. */
type ErrorPageText = readonly [status: number, title: string, message?: string];

export type ErrorPageTexts = Readonly<Partial<Record<DomainError['code'], ErrorPageText>>>;

const WORDINGS: ErrorPageTexts = {
  INVALID_REQUEST: [403, 'This request was not accepted'],
  VALIDATION_FAILED: [422, 'Something is not right'],
  INSUFFICIENT_SCOPE: [403, 'You may not do this'],
  NOT_FOUND: [404, 'Page not found'],
  INVALID_STATE: [409, 'This is not possible now'],
  RATE_LIMITED: [429, 'Too many attempts'],
  SERVICE_UNAVAILABLE: [503, 'Try again in a moment'],
};

interface ErrorPageParts {
  /** The process's own. */
  wordings: ErrorPageTexts | undefined;
  /** The form that was sent, with which it can be sent again. */
  again: VNode | null;
  out: { label: string; path: string };
}

/** It shows no internal details. */
function errorPage(
  ctx: PageContext,
  thrown: unknown,
  { wordings: own = {}, again, out }: ErrorPageParts,
): PageView & { status: number } {
  const { request, reply } = ctx;
  const isTooOld = thrown instanceof StaleFormError;
  const error = isTooOld ? foreignFormError() : thrown;
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined) {
    reply.header('Retry-After', error.retryAfterSeconds);
  }
  const { label, path } = isTooOld ? { label: 'Open its page again', path: formPagePath(request) } : out;
  const body = (
    <>
      {again}
      <p>
        <a href={path}>{label}</a>
      </p>
      <p class="hint">
        Request <code>{request.id}</code>
      </p>
    </>
  );
  return { ...describe(isOutage(error) ? outageOf(request, again !== null) : error, { ...WORDINGS, ...own }), body };
}

/** Whether a part of the service did not answer: its message is for programs. A mail that could not be sent says what to do. */
function isOutage(error: unknown): boolean {
  return isDomainError(error, 'SERVICE_UNAVAILABLE') && error.retryAfterSeconds !== undefined;
}

function outageOf({ method }: FastifyRequest, isRepeatable: boolean): DomainError {
  const message =
    method === 'POST'
      ? `A part of this service did not answer in time. What you sent may have been done all the same: ${
          isRepeatable ? 'send it again, and it is done once.' : 'look before you send it again.'
        }`
      : 'A part of this service does not answer at the moment.';
  return new DomainError('SERVICE_UNAVAILABLE', message);
}

/**
 * Everything that was sent. Null without an operation id, by which it is done once, and where a secret is among it, which no page
 * shows again.
 */
function repeatedForm({ method, url, body }: FastifyRequest): VNode | null {
  const sent = Object.entries((body ?? {}) as SavedForm['fields']);
  const fields = sent.filter(([name]) => name !== TOKEN_FIELD && name !== PERSON_FIELD);
  const isOnce = fields.some(([name]) => name === OPERATION_FIELD);
  if (method !== 'POST' || !isOnce || fields.some(([name]) => isSecretField(name))) return null;
  return (
    <Form action={url}>
      {fields.flatMap(([name, value]) =>
        [value].flat().map((each, n) => <input key={`${name} ${n}`} type="hidden" name={name} value={each} />),
      )}
      <Button>Send it again</Button>
    </Form>
  );
}

/** For an address with a parameter that none of our pages writes, such as an invalid cursor. */
const NO_SUCH_ADDRESS: ErrorPageText = [400, 'This link is not valid', 'Open the list again and continue from there.'];

function describe(error: unknown, wordings: ErrorPageTexts) {
  if (error instanceof DomainError) {
    const isOfAddress = error.code === 'INVALID_REQUEST' && error.details !== undefined;
    const wording = isOfAddress ? NO_SUCH_ADDRESS : wordings[error.code];
    const [status, title, message] = wording ?? [500, 'Something went wrong'];
    return { status, title, lead: message ?? error.message };
  }
  const { statusCode = 500 } = error as Partial<FastifyError>;
  if (statusCode === 413)
    return { status: 413, title: 'This form is too long', lead: 'Nothing was done. Send less of it.' };
  return statusCode < 500
    ? { status: statusCode, title: 'This request was not accepted', lead: 'It could not be read.' }
    : { status: 500, title: 'Something went wrong', lead: 'This is our mistake. Try again later.' };
}
