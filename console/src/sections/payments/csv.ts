/**
 * Spreadsheets take a text that begins so for a formula, which may send what stands in other cells elsewhere: in full width
 * too, and after characters that nobody sees.
 */
const LOOKS_LIKE_A_FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A line of a CSV file (RFC 4180), every field quoted and none a formula. */
export function csvLine(fields: readonly (string | null)[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string | null): string {
  const text = field ?? '';
  const safe = LOOKS_LIKE_A_FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
