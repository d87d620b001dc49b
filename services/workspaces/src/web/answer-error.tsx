import { DomainError, errorForLog } from '@payroll/kernel';
import { asDomainError } from '@payroll/store';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { keepDraft, takeDetour } from './detour.js';
import { FormTooOld, notFromHere } from './form-guard.js';
import { pageOf } from './form-page.js';
import { sendPage } from './send-page.js';
import type { Web } from './web.js';

interface Answer {
  status: number;
  title: string;
  message: string;
}

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

/** A page for everything that went wrong; what happened inside stays in the log. */
export async function answerError(
  web: Web,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (await takeDetour(web, thrown, request, reply)) return;
  const isTooOld = thrown instanceof FormTooOld;
  // Somebody has signed in meanwhile, in another window.
  if (isTooOld && !request.routeOptions.config.isForStrangers) await keepDraft(web, request);
  const error = isTooOld ? notFromHere() : asDomainError(thrown);
  const { status, title, message } = describe(error);
  if (status === 500) web.log.error({ requestId: request.id, error: errorForLog(error) }, 'a page failed');
  if (error instanceof DomainError && error.retryAfterSeconds !== undefined) {
    reply.header('Retry-After', error.retryAfterSeconds);
  }
  const body = (
    <>
      <p class="lead">{message}</p>
      <p>{isTooOld ? <a href={pageOf(request)}>Open its page again</a> : <a href="/">Go to the start page</a>}</p>
      <p class="hint">
        Request <code>{request.id}</code>
      </p>
    </>
  );
  await sendPage(web, request, reply, { title, status, body });
}

function describe(error: unknown): Answer {
  if (error instanceof DomainError) {
    const [status, title, message] = ANSWERS[error.code] ?? [500, 'Something went wrong'];
    return { status, title, message: message ?? error.message };
  }
  const { statusCode = 500 } = error as Partial<FastifyError>;
  return statusCode < 500
    ? { status: statusCode, title: 'This request was not accepted', message: 'It could not be read.' }
    : { status: 500, title: 'Something went wrong', message: 'This is our mistake. Try again later.' };
}
