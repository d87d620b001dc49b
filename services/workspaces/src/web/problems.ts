import type { ErrorDetail } from '@payroll/kernel';

/** What is wrong with one field of a form, in words for the person who filled it in. */
export interface Problem {
  /** The field's name; null for what concerns the whole form. */
  field: string | null;
  message: string;
}

export type Problems = readonly Problem[];

/** Words for each `path code` of a refusal that a form can meet. */
export type Wording = Readonly<Record<string, string>>;

export function toProblems(details: readonly ErrorDetail[], wording: Wording): Problem[] {
  return details.map(({ path, code }) => {
    const message = wording[`${path} ${code}`] ?? wording[path];
    return message === undefined ? { field: null, message: `${path}: ${code}` } : { field: path, message };
  });
}
