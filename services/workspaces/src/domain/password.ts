import { type ErrorDetail, textProblem } from '@payroll/kernel';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs as graphs, dictionary } from '@zxcvbn-ts/language-common';

/** NIST SP 800-63B-4 §3.1.1: long rather than complicated, at least 15 if nothing else protects the account. */
export const MIN_PASSWORD_LENGTH = 15;
const MAX_PASSWORD_LENGTH = 256;

/**
 * Knows the 40,000 most leaked passwords, and recognizes repetitions, keyboard rows, dates and digits that replace
 * letters.
 */
const estimator = new ZxcvbnFactory({ dictionary, graphs });

/**
 * Far more guesses than the attempt limits allow, even ignoring that a hash costs 19 MiB and tens of milliseconds.
 */
const FEWEST_GUESSES_LOG10 = 10;

/** The time to estimate is quadratic in the length, and a strong beginning suffices. */
const LONGEST_ESTIMATED = 64;

const TRIED_FIRST = ['payroll', 'correct horse battery staple'];

/** The problems of a new password. `words` are those of the account: its address, its name, its workspaces. */
export function problemsOfPassword(password: string, words: readonly string[]): ErrorDetail[] {
  const length = textProblem(password.normalize('NFC'), MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH);
  if (length !== null) return [{ path: 'password', code: length }];
  return isGuessable(password, words) ? [{ path: 'password', code: 'too_common' }] : [];
}

/** The account's own words and separators do not count: guessers try them first. */
function isGuessable(password: string, words: readonly string[]): boolean {
  const own = [...words, ...TRIED_FIRST].flatMap(partsOf).filter((part) => part.length >= 3);
  const rest = own
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, part) => text.replaceAll(part, ''), partsOf(password).join(''));
  return estimator.check(rest.slice(0, LONGEST_ESTIMATED)).guessesLog10 < FEWEST_GUESSES_LOG10;
}

function partsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
}
