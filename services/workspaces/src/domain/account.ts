import { type ErrorDetail, textProblem } from '@payroll/kernel';

/** One spelling for each address, however people type it. Postgres takes no U+0000: as HTML does, it is replaced. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().replaceAll('\0', '\ufffd');
}

/** NIST SP 800-63B-4 §3.1.1: long rather than complicated, at least 15 where nothing else protects the account. */
export const MIN_PASSWORD_LENGTH = 15;
const MAX_PASSWORD_LENGTH = 256;

const GUESSED_FIRST = [
  ...['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm', '01234567890'],
  ...['password', 'passwort', 'letmein', 'welcome', 'iloveyou', 'administrator', 'admin', 'secret', 'changeme'],
  ...['correcthorsebatterystaple', 'trustno1', 'payroll', 'login', 'default'],
];

const MIN_OWN_CHARACTERS = 6;

/** What is wrong with a new password; `words` are those that belong to the account, such as its address and name. */
export function problemsOfPassword(path: string, password: string, words: readonly string[]): ErrorDetail[] {
  const length = textProblem(password.normalize('NFC'), MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH);
  if (length !== null) return [{ path, code: length }];
  return isGuessable(password, words) ? [{ path, code: 'too_common' }] : [];
}

function isGuessable(password: string, words: readonly string[]): boolean {
  const own = words.flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length >= 3);
  const rest = withoutRuns(password.normalize('NFC').toLowerCase(), [...own, ...GUESSED_FIRST]);
  return new Set(rest).size < MIN_OWN_CHARACTERS;
}

/** Takes away what is part of a guessed word or row, at least four characters at a time or the word itself. */
function withoutRuns(text: string, sources: readonly string[]): string {
  let rest = '';
  for (let at = 0; at < text.length;) {
    const run = Math.max(...sources.map((source) => runAt(text, at, source)));
    if (run === 0) rest += text[at];
    at += Math.max(1, run);
  }
  return rest;
}

/** How many characters from here on stand in the source side by side. */
function runAt(text: string, at: number, source: string): number {
  let length = Math.min(4, source.length);
  if (!source.includes(text.slice(at, at + length)) || at + length > text.length) return 0;
  while (at + length < text.length && source.includes(text.slice(at, at + length + 1))) length += 1;
  return length;
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
