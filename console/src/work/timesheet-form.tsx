import { addDays, DomainError, isCalendarDate, throwIfInvalid } from '@payroll/kernel';
import { Field, type Problem, type SentForm, textOf } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, hoursText, weekdayText } from '../words.js';
import type { Entered, WorkTerms } from './operations.js';

/** The fields of a timesheet as they were typed: two for each day, or one period with one number. */
export type Typed = Readonly<Record<string, string>>;

/**
 * The days of the week that a form has fields for, none where work is entered as one number: those under the contract, and those
 * that have text already. Otherwise work would be left out unseen once the contract has another last day.
 */
export function daysIn(
  monday: string,
  { isHourly, firstDay, lastDay }: WorkTerms,
  typed: SentForm | null = null,
): string[] {
  if (!isHourly) return [];
  const week = Array.from({ length: 7 }, (_, n) => addDays(monday, n));
  const isUnderContract = (day: string): boolean =>
    (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay);
  const hasText = (day: string): boolean =>
    typed !== null && Object.values(typedIn(typed, [day])).some((text) => text.trim() !== '');
  return week.filter((day) => isUnderContract(day) || hasText(day));
}

export function typedIn(form: SentForm, days: readonly string[]): Typed {
  const names = days.length > 0 ? days.flatMap((day) => [`units-${day}`, `note-${day}`]) : ['from', 'to', 'units'];
  return Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
}

/** The work that was typed. @throws DomainError `VALIDATION_FAILED` that names the fields */
export function workIn(typed: Typed, days: readonly string[]): Entered {
  if (days.length === 0) return wholeIn(typed);
  const places = placesOfMinutes();
  const read = days.map((day) => {
    const text = typed[`units-${day}`]?.trim() ?? '';
    return { day, units: text === '' ? '0' : readUnits(text, places), note: typed[`note-${day}`] || null };
  });
  const wrong = read.flatMap(({ day, units, note }) => {
    if (units === null) return [{ path: `units-${day}`, code: 'hours' }];
    return units === '0' && note?.trim() ? [{ path: `units-${day}`, code: 'note_alone' }] : [];
  });
  throwIfInvalid(wrong, 'The hours are not valid.');
  const entries = read.flatMap(({ day, units, note }) =>
    units === null || units === '0' ? [] : [{ day, units, note }],
  );
  throwIfInvalid(entries.length > 0 ? [] : [{ path: `units-${days[0]}`, code: 'empty' }], 'No hours were entered.');
  return { periodStart: entries[0]!.day, periodEnd: entries.at(-1)!.day, entries, unitsWorked: null };
}

function wholeIn({ from = '', to = '', units = '' }: Typed): Entered {
  const read = readUnits(units);
  const noDay = Object.entries({ from, to }).filter(([, day]) => !isCalendarDate(day));
  throwIfInvalid(
    [...noDay.map(([path]) => ({ path, code: 'day' })), ...(read === null ? [{ path: 'units', code: 'number' }] : [])],
    'The work is not valid.',
  );
  throwIfInvalid(to < from ? [{ path: 'to', code: 'before_start' }] : [], 'The period is not valid.');
  return { periodStart: from, periodEnd: to, unitsWorked: read, entries: null };
}

/** The messages for the problems that are found here, by their codes; the service's refusals have messages of their own. */
const MESSAGES: Readonly<Record<string, string>> = {
  hours: 'Enter a number such as 7.5, 7,5 or 7:30',
  number: 'Enter a number such as 7.5, 7,5 or 1250',
  empty: 'Enter the hours of at least one day',
  note_alone: 'Enter the hours of this day, or clear its note',
  day: 'Enter a day that exists',
  before_start: 'The last day lies before the first',
};

/** For refusals of the service whose messages are for programs. */
const REFUSALS: Readonly<Record<string, string>> = {
  too_long: 'The note must be 500 characters or fewer',
  invalid_characters: 'The note contains characters that are not allowed',
};

/** The scope is that of the other side, if the contract has got another submitter meanwhile. */
const SHOWN_IN_FORM: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'INVALID_STATE', 'INSUFFICIENT_SCOPE']);

/** The problems of a form of work, each at its field. */
export function problemsOfWork(error: unknown, typed: Typed, days: readonly string[]): Problem[] {
  if (!(error instanceof DomainError && SHOWN_IN_FORM.has(error.code))) throw error;
  const details = error.details ?? [];
  if (details.length === 0) return [{ field: null, message: error.message }];
  return details.map(({ path, code }) => {
    const message = MESSAGES[code];
    return message === undefined
      ? { field: fieldOf(path, typed, days), message: REFUSALS[code] ?? withDays(error.message) }
      : { field: path, message };
  });
}

/** The service writes days as programs read them. */
const withDays = (message: string): string => message.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, dayText);

/** The field for a path of the work that was sent, such as `entries[0].note`; null if it has none. */
function fieldOf(path: string, typed: Typed, days: readonly string[]): string | null {
  if (days.length === 0) return FIELDS[path] ?? null;
  const [, n = '0', part = 'units'] = /^entries\[(\d+)\]\.(units|note)$/.exec(path) ?? [];
  const worked = days.filter((day) => !['0', null].includes(readUnits(typed[`units-${day}`] ?? '')));
  const day = path === 'periodEnd' ? worked.at(-1) : worked[Number(n)];
  return day === undefined ? null : `${part}-${day}`;
}

const FIELDS: Readonly<Record<string, string>> = { unitsWorked: 'units', periodStart: 'from', periodEnd: 'to' };

/**
 * Hours or units as people type them, as a decimal string: `7.5`, `7,5` or `7:30`. Null for anything else: a second
 * separator or an exponent could mean two things, and so could `1,000`.
 */
export function readUnits(typed: string, places = placesOfMinutes()): string | null {
  const [, whole, fraction = '', minutes] =
    /^(?![1-9]\d*,\d{3}$)(\d{1,9})(?:[.,](\d{1,8})|:([0-5]\d))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const decimals = minutes === undefined ? fraction : String(places(Number(minutes))).padStart(8, '0');
  const trimmed = decimals.replace(/0+$/, '');
  return `${Number(whole)}${trimmed === '' ? '' : `.${trimmed}`}`;
}

/**
 * Minutes as the eight places of an hour that work has at most, rounded up: half a cent would be lost otherwise. What
 * one day has too much is taken from the next, so that three days of 7:20 are 22 hours.
 */
function placesOfMinutes(): (minutes: number) => number {
  let leftThirds = 0;
  return (minutes) => {
    const thirds = leftThirds + minutes * 5_000_000;
    const places = Math.ceil(thirds / 3);
    leftThirds = thirds - places * 3;
    return places;
  };
}

/** Entered work as it was typed. */
export function typedAgain(entries: NonNullable<Entered['entries']>): Typed {
  return Object.fromEntries(
    entries.flatMap(({ day, units, note }) => [
      [`units-${day}`, hoursText(units)],
      [`note-${day}`, note ?? ''],
    ]),
  );
}

interface FieldsProps {
  days: readonly string[];
  typed: Typed;
  /** The unit of the work, such as "task". */
  unit: string;
}

export function WorkFields({ days, typed, unit }: FieldsProps): VNode {
  if (days.length === 0) {
    return (
      <>
        <Field name="from" label="First day" type="date" value={typed['from'] ?? ''} />
        <Field name="to" label="Last day" type="date" value={typed['to'] ?? ''} />
        <Field name="units" label={`Number of ${unit}s`} inputMode="decimal" value={typed['units'] ?? ''} />
      </>
    );
  }
  return (
    <>
      {days.map((day) => (
        <div key={day} class="day" role="group" aria-labelledby={`day-${day}`}>
          <b id={`day-${day}`}>{weekdayText(day)}</b>
          <Field name={`units-${day}`} label="Hours" inputMode="decimal" value={typed[`units-${day}`] ?? ''} />
          <Field name={`note-${day}`} label="Note" value={typed[`note-${day}`] ?? ''} />
        </div>
      ))}
      <p class="hint">Hours as 7.5, 7,5 or 7:30. A day without hours stays empty.</p>
    </>
  );
}

/** The same work again, unseen, for the form that sends it. */
export function KeptFields({ typed }: { typed: Typed }): VNode {
  return (
    <>
      {Object.entries(typed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
