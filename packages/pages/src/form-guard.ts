import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@payroll/kernel';
import type { FastifyRequest } from 'fastify';
import { isSecret } from './secret.js';
import { TOKEN_FIELD, textOf } from './sent-form.js';

/** Every form carries it; derived from the session's secret, so valid in this browser until its next sign-in. */
export function formToken(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

/** @throws StaleFormError for a form of an earlier sign-in; DomainError `INVALID_REQUEST` for one that we did not render. */
export function requireFormToken(request: FastifyRequest, secret: string | undefined, origin: string): void {
  const token = textOf(request, TOKEN_FIELD);
  if (isSameOrigin(request, origin) && isSecret(secret) && isSame(token, formToken(secret))) return;
  throw request.headers.origin === origin && isSecret(token) ? new StaleFormError() : foreignFormError();
}

/** One of our pages sent it, but with the token of an earlier session. It does nothing either. */
export class StaleFormError extends Error {
  override readonly name = 'StaleFormError';
}

export function foreignFormError(): DomainError {
  return new DomainError(
    'INVALID_REQUEST',
    'This form did not come from this site, or it is too old. Nothing was done.',
  );
}

/** Browsers say where a form was sent from. Programs do not, and have no cookies that could be abused. */
function isSameOrigin({ headers }: FastifyRequest, origin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === origin;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin';
}

/** Lengths are compared in bytes, as `timingSafeEqual` throws for two that differ. */
function isSame(token: string, expected: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
