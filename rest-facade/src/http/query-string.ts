import type { ErrorDetail } from '@payroll/kernel';

export interface QueryText {
  parameters: Readonly<Record<string, string>>;
  problems: readonly ErrorDetail[];
}

/** Reads a query strictly: a parameter that is given twice, or is no UTF-8, is refused rather than guessed at. */
export function readQueryString(text: string): QueryText {
  const parameters = new Map<string, string>();
  const problems: ErrorDetail[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) problems.push({ path: name ?? '', code: 'invalid_encoding' });
    else if (parameters.has(name)) problems.push({ path: name, code: 'repeated' });
    else parameters.set(name, value);
  }
  return { parameters: Object.fromEntries(parameters), problems };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
