/** As long as a title may be: what is cut off could be what matters. */
const MOST_CHARACTERS = 254;

/**
 * Text that somebody else wrote, made unable to pass for a part of the dialogue: one line without invisible or
 * direction-changing characters, in quotation marks that it cannot close, and with nothing a host would render.
 */
export function quoted(text: string, most = MOST_CHARACTERS): string {
  const line = text
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replaceAll(/["“”„‟«»]/gu, '’')
    .replaceAll('`', '’')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (');
  const characters = [...line];
  const shown = characters.length > most ? `${characters.slice(0, most).join('')}…` : line;
  return `“${shown}”`;
}

/** One line a fact; those without a value are left out. */
export function factsOf(facts: readonly (readonly [label: string, value: string | null | undefined])[]): string {
  return facts
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n');
}

/** The API's own digits with the currency: never formatted, never rounded. */
export function moneyOf({ amount, currency }: { amount: string; currency: string }): string {
  return `${amount} ${currency}`;
}
