/** Why a text cannot be kept, in the words of the public contract; null when it can. Lengths are code points. */
export function textProblem(text: string, minLength: number, maxLength: number): TextProblem | null {
  const length = [...text].length;
  if (length < minLength) return 'too_short';
  if (length > maxLength) return 'too_long';
  // U+0000 has no place in a Postgres text, and half a surrogate pair none in UTF-8.
  return text.isWellFormed() && !text.includes('\0') ? null : 'invalid_characters';
}

export type TextProblem = 'too_short' | 'too_long' | 'invalid_characters';

/** What people and things are called: 1–200 code points that are not all white space. */
export function nameProblem(name: string): TextProblem | null {
  return name.trim() === '' ? 'too_short' : textProblem(name, 1, 200);
}

/** Enough to catch a slip; whether an address works, only a message to it can tell. */
export function isEmail(text: string): boolean {
  return textProblem(text, 3, 254) === null && /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+\.[^\s\p{Cc}@]+$/u.test(text);
}
