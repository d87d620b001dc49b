import { parseJson } from '@payroll/kernel';
import type { FastifyRequest } from 'fastify';
import { formPagePath, readReturnPath } from './sign-in-redirect.js';
import { TOKEN_FIELD } from './form-guard.js';

/** Fields whose values are kept nowhere, shown again on no page, and the only ones of type `password`. */
const SECRET_FIELDS = ['password', 'repeated', 'current'] as const;
export type SecretField = (typeof SECRET_FIELDS)[number];

/** The input of a form that was submitted without a valid session, saved over the sign-in. */
export interface SavedForm {
  /** Where the form is, to be filled in again. */
  path: string;
  fields: Readonly<Record<string, string | string[]>>;
}

export const OPERATION_FIELD = 'operation_id';

/** Secrets and accounts must be entered again, and each rendered form has a new token and operation id. */
const NOT_KEPT: ReadonlySet<string> = new Set([...SECRET_FIELDS, 'code', 'destination', TOKEN_FIELD, OPERATION_FIELD]);

/** The form of a request that was not carried out, for its page to be filled in with again. */
export function savedFormOf(request: FastifyRequest): SavedForm {
  const sent = Object.entries((request.body ?? {}) as SavedForm['fields']);
  return { path: formPagePath(request), fields: Object.fromEntries(sent.filter(([name]) => !NOT_KEPT.has(name))) };
}

/** A form saved in the sign-in page, or null if it is not valid: the browser may have changed it. */
export function parseSavedForm(text: string, origin: string): SavedForm | null {
  const read = parseJson(text) as { path?: unknown; fields?: unknown } | null | undefined;
  const path = readReturnPath(read?.path, origin);
  if (path === null || typeof read?.fields !== 'object' || read.fields === null) return null;
  const isText = (value: unknown): boolean => typeof value === 'string';
  const fields = Object.entries(read.fields).filter(
    ([, value]) => isText(value) || (Array.isArray(value) && value.every(isText)),
  );
  return { path, fields: Object.fromEntries(fields) as SavedForm['fields'] };
}
