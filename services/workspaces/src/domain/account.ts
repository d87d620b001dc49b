/** One spelling for each address, however people type it. Postgres takes no U+0000: as HTML does, it is replaced. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().replaceAll('\0', '\ufffd');
}

/** Wrong passwords are counted in windows; the first one begins a window. */
export const WINDOW_MINUTES = 5;

/** What an attempt is counted for. Known browsers count by themselves: others' wrong passwords do not lock the owner out. */
export type Subject = { kind: 'address' | 'account' | 'device' | 'mail-from' | 'mail-to'; name: string };

/** Mails: few enough that nobody's box is filled, and that nobody asks for those of many. */
const QUOTAS: Readonly<Record<Subject['kind'], number>> = {
  ...{ address: 30, account: 10, device: 10 },
  ...{ 'mail-from': 10, 'mail-to': 3 },
};

/** @param attempt the device is the secret of the browser's cookie, where it is one of this account's */
export function subjectsOf(attempt: { address: string; email: string; knownDevice: string | null }): Subject[] {
  const { address, email, knownDevice } = attempt;
  if (knownDevice !== null) return [{ kind: 'device', name: knownDevice }];
  return [
    { kind: 'address', name: address },
    { kind: 'account', name: email },
  ];
}

export type Count = Subject & {
  /** In this window, this attempt included. */
  used: number;
  resetSeconds: number;
};

/** Seconds until the next attempt; null when this one may be tried. */
export function waitForAttempt(counts: readonly Count[]): number | null {
  const over = counts.filter(({ kind, used }) => used > QUOTAS[kind]);
  return over.length === 0 ? null : Math.max(1, ...over.map(({ resetSeconds }) => resetSeconds));
}
