import { DomainError, type ErrorDetail } from '@payroll/kernel';

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

/** Words for each `path code` of a refusal that a form can meet. */
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
  if (error.code !== 'INVALID_STATE') throw error;
  return [{ field: null, message: error.message }];
}

/** Errors in a person's name, on every form with that field. */
export const PERSON_NAME_WORDING: FieldMessages = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'name contains_address': 'The name must not contain an e-mail or web address',
};
