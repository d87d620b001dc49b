/** A form that was sent, or is filled in again. */
export interface SentForm {
  body?: unknown;
}

/** The one value of a field; the empty text when it was not sent, or sent more than once. */
export function textOf({ body }: SentForm, field: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === 'string' ? value : '';
}

/** All values of a field, as checkboxes send them. */
export function listOf({ body }: SentForm, field: string): string[] {
  const value = (body as Record<string, unknown> | null | undefined)?.[field];
  return [value].flat().filter((each) => typeof each === 'string');
}
