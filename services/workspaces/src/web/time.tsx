import type { Instant } from '@payroll/kernel';
import type { VNode } from 'preact';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** A moment in UTC: readers sit in several zones, and the API says it the same way. */
export function Time({ at }: { at: Instant }): VNode {
  const moment = new Date(at);
  return (
    <time dateTime={at}>
      {DAY.format(moment)}, {CLOCK.format(moment)} UTC
    </time>
  );
}
