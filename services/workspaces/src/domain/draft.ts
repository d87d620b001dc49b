/** Fields whose values are kept nowhere, shown again on no page, and the only ones of type `password`. */
export const SECRET_FIELDS = ['password', 'repeated', 'current'] as const;
export type SecretField = (typeof SECRET_FIELDS)[number];

/** What somebody typed into a form before it turned out that they have to sign in first. */
export interface Draft {
  /** Where the form is, to be filled in again. */
  path: string;
  fields: Readonly<Record<string, string | string[]>>;
}
