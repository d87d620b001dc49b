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
