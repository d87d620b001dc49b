/**
 * Spreadsheets run a text that begins like this as a formula, which can send other cells to an outside server. Full-width
 * characters count as well, and so does a formula after invisible characters.
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
