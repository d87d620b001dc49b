import { isCalendarDate } from '@payroll/kernel';
import type { Wording } from '../../problems.js';

/** Long enough for a quarter's work, short enough that rotation stays a habit. */
const DEFAULT_DAYS = 90;

export function defaultExpiry(now: Date): string {
  return dayOf(new Date(now.getTime() + DEFAULT_DAYS * 86_400_000));
}

export function tomorrow(now: Date): string {
  return dayOf(new Date(now.getTime() + 86_400_000));
}

/** A key that expires on a day is good until the day is over, in UTC; what is no day is left for the command to refuse. */
export function endOfDay(day: string): string {
  return isCalendarDate(day) ? `${day}T23:59:59Z` : day;
}

export const KEY_WORDING: Wording = {
  'name too_short': 'Enter a name for the key',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'scopes too_short': 'Choose what the key may do',
  'scopes beyond_role': 'The key cannot do more than the role of its member allows',
  expiresAt: 'Enter a day in the future on which the key expires',
};

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
