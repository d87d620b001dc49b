import { DomainError, type ErrorDetail, parseJson } from '@payroll/kernel';
import type { FastifyRequest } from 'fastify';
import { formPagePath, readReturnPath } from './sign-in-redirect.js';

/** A form that was sent, or is filled in again. */
export interface SentForm {
  body?: unknown;
}

/** The one value of a field; the empty text when it was not sent, or sent more than once. */
export function textOf(form: SentForm, field: string): string {
  const value = valueOf(form, field);
  return typeof value === 'string' ? value : '';
}

export function listOf(form: SentForm, field: string): string[] {
  return [valueOf(form, field)].flat().filter((each) => typeof each === 'string');
}

function valueOf({ body }: SentForm, field: string): unknown {
  return (body as Record<string, unknown> | null | undefined)?.[field];
}

/** A problem with one field of a form, in words for the person who filled it in. */
export interface Problem {
  /** The field's name; null if the problem concerns the whole form. */
  field: string | null;
  message: string;
}

/** Words for each `path code` of a refusal that a form can meet, and for its code where that names no field. */
export type FieldMessages = Readonly<Record<string, string>>;

export function toProblems(details: readonly ErrorDetail[], wording: FieldMessages): Problem[] {
  return details.map(({ path, code }) => {
    const message = wording[`${path} ${code}`] ?? wording[path];
    return message === undefined ? { field: null, message: `${path}: ${code}` } : { field: path, message };
  });
}

/** The problems of the input, in words. @throws any other error */
export function problemsOf(error: unknown, wording: FieldMessages): Problem[] {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === 'VALIDATION_FAILED') return toProblems(error.details ?? [], wording);
  const message = error.code === 'INVALID_STATE' ? error.message : wording[error.code];
  if (message === undefined) throw error;
  return [{ field: null, message }];
}

/** Errors in a person's name, on every form with that field. */
export const PERSON_NAME_WORDING: FieldMessages = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'name contains_address': 'The name must not contain an email or web address',
};

export const TOKEN_FIELD = 'form_token';
export const OPERATION_FIELD = 'operation_id';
/** For whom the form was drawn. Kept with what was typed, which another person who signs in with the browser must not read. */
export const PERSON_FIELD = 'typed_by';

/** Fields whose values are kept nowhere, shown again on no page, and the only ones of type `password`. */
const SECRET_FIELDS = ['password', 'repeated', 'current'] as const;
export type SecretField = (typeof SECRET_FIELDS)[number];

/** The input of a form that was submitted without a valid session, saved over the sign-in. */
export interface SavedForm {
  /** Where the form is, to be filled in again. */
  path: string;
  fields: Readonly<Record<string, string | string[]>>;
}

/** Secrets and accounts must be entered again, and each rendered form has a new token and operation id. */
const NOT_KEPT: ReadonlySet<string> = new Set([...SECRET_FIELDS, 'code', 'destination', TOKEN_FIELD, OPERATION_FIELD]);

/** Whether a field's value is shown again on no page. */
export function isSecretField(name: string): boolean {
  return name === 'code' || SECRET_FIELDS.some((secret) => secret === name);
}

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
