import { addDays, DomainError, Money, sumOfDecimals } from '@payroll/kernel';
import { Field, type Problem, type SentForm, textOf } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, moneyText, periodText, unitsText } from '../words.js';
import type { Entered, WorkTerms } from './operations.js';

/** The fields of a timesheet as they were typed: two for each day, or one period with one number. */
export type Typed = Readonly<Record<string, string>>;

const NUMBER = 'Enter a number such as 7.5, 7,5 or 7:30';

/** The days of the week that a form has fields for: those under the contract, none where work is entered as one number. */
export function daysIn(monday: string, { isHourly, firstDay, lastDay }: WorkTerms): string[] {
  if (!isHourly) return [];
  const week = Array.from({ length: 7 }, (_, n) => addDays(monday, n));
  return week.filter((day) => (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay));
}

export function typedIn(form: SentForm, days: readonly string[]): Typed {
  const names = days.length > 0 ? days.flatMap((day) => [`units-${day}`, `note-${day}`]) : ['from', 'to', 'units'];
  return Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
}

/** The work that was typed. @throws DomainError `VALIDATION_FAILED` that names the fields */
export function workIn(typed: Typed, days: readonly string[]): Entered {
  if (days.length === 0) return wholeIn(typed);
  const filled = days.filter((day) => typed[`units-${day}`]?.trim());
  const read = filled.map((day) => ({
    day,
    units: readUnits(typed[`units-${day}`]!),
    note: typed[`note-${day}`] || null,
  }));
  const wrong = read.filter(({ units }) => units === null).map(({ day }) => ({ path: `units-${day}`, code: 'number' }));
  if (wrong.length > 0) throw new DomainError('VALIDATION_FAILED', NUMBER, { details: wrong });
  const entries = read.flatMap(({ day, units, note }) =>
    units === null || units === '0' ? [] : [{ day, units, note }],
  );
  if (entries.length === 0) {
    const details = [{ path: `units-${days[0]}`, code: 'empty' }];
    throw new DomainError('VALIDATION_FAILED', 'No hours were entered.', { details });
  }
  return { periodStart: entries[0]!.day, periodEnd: entries.at(-1)!.day, entries, unitsWorked: null };
}

function wholeIn({ from = '', to = '', units = '' }: Typed): Entered {
  const read = readUnits(units);
  if (read !== null) return { periodStart: from, periodEnd: to, unitsWorked: read, entries: null };
  throw new DomainError('VALIDATION_FAILED', NUMBER, { details: [{ path: 'units', code: 'number' }] });
}

/** The problems of a form of work, each at its field. */
export function problemsOfWork(error: unknown, days: readonly string[]): Problem[] {
  if (!(error instanceof DomainError) || !['VALIDATION_FAILED', 'INVALID_STATE'].includes(error.code)) throw error;
  const details = error.details ?? [];
  if (details.length === 0) return [{ field: null, message: error.message }];
  return details.map(({ path, code }) => {
    if (code === 'number') return { field: path, message: NUMBER };
    if (code === 'empty') return { field: path, message: 'Enter the hours of at least one day' };
    const [first = null] = days;
    return { field: FIELDS[path] ?? first ?? null, message: error.message };
  });
}

/**
 * Hours or units as people type them, as a decimal string: `7.5`, `7,5` or `7:30`. Minutes are rounded to two places; no
 * minute lies halfway between two. Null for anything else: a second separator or an exponent could mean two things.
 */
export function readUnits(typed: string): string | null {
  const [, whole, fraction = '', minutes] = /^(\d{1,3})(?:[.,](\d{1,4})|:([0-5]\d))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const decimals = minutes === undefined ? fraction : String(Math.round(Number(minutes) / 0.6)).padStart(2, '0');
  const trimmed = decimals.replace(/0+$/, '');
  return `${Number(whole)}${trimmed === '' ? '' : `.${trimmed}`}`;
}

const FIELDS: Readonly<Record<string, string>> = { unitsWorked: 'units', periodStart: 'from', periodEnd: 'to' };

interface FieldsProps {
  days: readonly string[];
  typed: Typed;
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

function weekdayOf(day: string): string {
  return `${WEEKDAY.format(new Date(`${day}T12:00:00Z`))}, ${dayText(day)}`;
}

export function WorkFields({ days, typed }: FieldsProps): VNode {
  if (days.length === 0) {
    return (
      <>
        <Field name="from" label="First day" type="date" value={typed['from'] ?? ''} />
        <Field name="to" label="Last day" type="date" value={typed['to'] ?? ''} />
        <Field name="units" label="Units worked" inputMode="decimal" value={typed['units'] ?? ''} />
      </>
    );
  }
  return (
    <>
      {days.map((day) => (
        <div key={day} class="day" role="group" aria-labelledby={`day-${day}`}>
          <b id={`day-${day}`}>{weekdayOf(day)}</b>
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

/** The work in words before it is sent: its period, sum, total and pay date. */
export function summaryOf({ periodStart, periodEnd, entries, unitsWorked }: Entered, terms: WorkTerms) {
  const units = entries ? sumOfDecimals(entries.map((entry) => entry.units)) : (unitsWorked ?? '0');
  const { rate, currency, paymentDueDays } = terms;
  const total = rate === null ? null : Money.of(rate, currency).times(units);
  return {
    Period: periodText(periodStart, periodEnd),
    Work: unitsText(units, terms.isHourly ? 'hour' : 'unit'),
    ...(total && { Total: moneyText(total.toJSON()) }),
    'Pay date': `${dayText(addDays(periodEnd, paymentDueDays))}, once it is approved`,
  };
}
