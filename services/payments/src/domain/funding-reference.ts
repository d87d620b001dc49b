/** ISO 11649: `RF`, two check digits and the text, so that banks reject most typing errors. */
const LETTERS = 'RF00';

/**
 * The reference of a transfer by which finance finds the workspace: the last sixteen digits of the workspace's id,
 * which are all random, as a creditor reference of ISO 11649, in groups of four.
 */
export function fundingReference(workspaceId: string): string {
  const text = workspaceId.replaceAll('-', '').slice(-16).toUpperCase();
  const check = String(98n - (asNumber(text + LETTERS) % 97n)).padStart(2, '0');
  return `RF${check}${text}`.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Letters count from 10, as in an IBAN. */
function asNumber(text: string): bigint {
  return BigInt([...text].map((letter) => Number.parseInt(letter, 36)).join(''));
}
