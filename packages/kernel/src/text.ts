import { invalid } from './error.js';

type TextProblem = 'too_short' | 'too_long' | 'invalid_characters';

/** Why a text cannot be stored, in the words of the public contract; null when it can. Lengths are code points. */
export function textProblem(text: string, minLength: number, maxLength: number): TextProblem | null {
  const length = [...text].length;
  if (length < minLength) return 'too_short';
  if (length > maxLength) return 'too_long';
  // Postgres text has no U+0000, and UTF-8 no half of a surrogate pair.
  return text.isWellFormed() && !text.includes('\0') ? null : 'invalid_characters';
}

/** @throws DomainError `VALIDATION_FAILED` unless it can be stored and has `min` to `max` code points. */
export function requireText(path: string, text: string, min: number, max: number): void {
  const problem = textProblem(text, min, max);
  if (problem !== null) throw invalid(path, problem, `${path} must be text of ${min} to ${max} characters.`);
}

/** Trimmed. @throws DomainError `VALIDATION_FAILED` unless 1 to `max` code points are left. */
export function enteredText(path: string, text: string, max: number): string {
  const trimmed = text.trim();
  requireText(path, trimmed, 1, max);
  return trimmed;
}

/** Whether it has marks that change the order in which it is read: 000,9 is shown as 9,000. */
export const isReordered = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/u.test(text);

/** Whether any character of it can be seen. The fillers are letters that are blank. */
export const isVisible = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(/[\u115f\u1160\u2800\u3164\uffa0]/g, ''));

/** Line breaks and other controls. */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Names of people and things: one line of 1–200 code points, or another limit, of which some can be seen. */
export function nameProblem(name: string, most = 200): TextProblem | null {
  if (!isVisible(name)) return 'too_short';
  return textProblem(name, 1, most) ?? (NOT_ON_ONE_LINE.test(name) || isReordered(name) ? 'invalid_characters' : null);
}

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(`^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`);

/**
 * An address that every mail program reads alike: a dot-atom and a host name (RFC 5321 §4.1.2), in ASCII. Any other form that
 * a program accepts, such as a name with angle brackets, could be delivered to another person.
 */
export function isEmail(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Codes that ICU names and ISO 3166-1 has assigned to no country: reserved ones, groups of countries, and those of tests. */
const NONE: ReadonlySet<string> = new Set([
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'],
]);

/** Whether it is the ISO 3166-1 alpha-2 code of a country of today, in capitals. A withdrawn code stands for another country. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NONE.has(code)) return false;
  return names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;
}

/** JSON with sorted keys and no white space: equal values have equal texts, regardless of key order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
