import { DomainError, Money, sumOfDecimals } from '@payroll/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { problemsOfWork, readUnits, type Typed, typedAgain, workIn } from './timesheet-form.js';

it.each([
  ['7.5', '7.5'],
  ['7,5', '7.5'],
  ['7:30', '7.5'],
  ['0:20', '0.33333334'],
  ['0:40', '0.66666667'],
  ['7:59', '7.98333334'],
  [' 8 ', '8'],
  ['8.00', '8'],
  ['07.2500', '7.25'],
  ['0', '0'],
  ['1500', '1500'],
  ['123456789,25', '123456789.25'],
])('%s is %s', (typed, units) => {
  expect(readUnits(typed)).toBe(units);
});

it.each([
  '',
  ' ',
  '1,000.5',
  '1,000',
  '1.000,5',
  '1e3',
  '٧',
  '-1',
  '+1',
  '7:60',
  '7:5',
  '7.',
  '.5',
  '1.234567891',
  '1234567890',
  '7h',
  '7 30',
])('refuses "%s"', (typed) => {
  expect(readUnits(typed)).toBeNull();
});

it('reads every spelling of the same time as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 9_999 }), (whole, fraction) => {
      const digits = String(fraction).padStart(4, '0');
      const [point, comma] = [readUnits(`${whole}.${digits}`), readUnits(`${whole},${digits}`)];
      expect(comma).toBe(point);
      expect(Number(point)).toBeCloseTo(whole + fraction / 10_000, 10);
    }),
  );
});

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
/** The problems that the form shows for what was typed, as `field: message`. */
function shown(typed: Typed, days: readonly string[]): string[] {
  try {
    workIn(typed, days);
    return [];
  } catch (error) {
    return problemsOfWork(error, typed, days).map(({ field, message }) => `${field}: ${message}`);
  }
}

it.each(['', '20266-03-02', '2026-02-30', '0000-01-01'])('a first day "%s" is an error at its field', (from) => {
  expect(shown({ from, to: '2026-03-08', units: '100' }, [])).toEqual(['from: Enter a day that exists']);
});

it('every wrong field of a period is named at once', () => {
  expect(shown({ from: '', to: '', units: 'many' }, [])).toEqual([
    'from: Enter a day that exists',
    'to: Enter a day that exists',
    'units: Enter a number such as 7.5, 7,5 or 1250',
  ]);
});

it.each([
  [3, '7:20', '22'],
  [5, '7:20', '36.66666667'],
  [6, '7:40', '46'],
  [7, '0:01', '0.11666667'],
])('minutes are rounded once: %i days of %s are %s hours', (count, hours, sum) => {
  const days = Array.from({ length: count }, (_, n) => `2026-03-0${n + 2}`);
  const work = workIn(Object.fromEntries(days.map((day) => [`units-${day}`, hours])), days);
  expect(sumOfDecimals(work.entries!.map(({ units }) => units))).toBe(sum);
});

it('minutes are paid to the cent, at any rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_439 }), fc.integer({ min: 1, max: 1_000_000 }), (minutes, cents) => {
      const units = readUnits(`${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`)!;
      const { amount } = Money.of(String(cents), 'JPY').times(units);
      // In sixtieths of a cent, exactly: at most half a cent is rounded.
      expect(Math.abs(Number(amount) * 60 - cents * minutes)).toBeLessThanOrEqual(30);
    }),
    { numRuns: 2_000, examples: [[50, 6_135]] },
  );
});

it('rounded hours are in the form again as they were typed', () => {
  const times = fc.array(fc.integer({ min: 1, max: 1_440 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(times, (minutes) => {
      const typed = Object.fromEntries(
        minutes.map((each, n) => [
          `units-${DAYS[n]}`,
          `${Math.floor(each / 60)}:${String(each % 60).padStart(2, '0')}`,
        ]),
      );
      const { entries } = workIn(typed, DAYS);
      expect(workIn(typedAgain(entries!), DAYS).entries).toEqual(entries);
      const one = entries!.at(-1)!;
      const alone = workIn(typedAgain([one]), [one.day]).entries;
      expect(alone).toEqual(workIn({ [`units-${one.day}`]: typed[`units-${one.day}`]! }, [one.day]).entries);
    }),
  );
  expect(typedAgain([{ day: DAYS[0]!, units: '7.2501', note: null }])).toEqual({
    'units-2026-03-02': '7.2501',
    'note-2026-03-02': '',
  });
});

it('a note without hours is an error at its day, not left out', () => {
  const typed = {
    'units-2026-03-02': '7',
    'units-2026-03-03': '0',
    'note-2026-03-03': 'Ill',
    'note-2026-03-04': 'Ill',
  };
  expect(shown(typed, DAYS)).toEqual([
    'units-2026-03-03: Enter the hours of this day, or clear its note',
    'units-2026-03-04: Enter the hours of this day, or clear its note',
  ]);
});

it('a last day before the first is an error at its field, also before the work is sent', () => {
  expect(shown({ from: '2026-03-08', to: '2026-03-02', units: '1' }, [])).toEqual([
    'to: The last day lies before the first',
  ]);
});

it('a note that is too long is said at its day, in words for people', () => {
  const details = [{ path: 'entries[0].note', code: 'too_long' }];
  const error = new DomainError('VALIDATION_FAILED', 'note must be text of at most 500 characters.', { details });
  expect(problemsOfWork(error, { 'units-2026-03-02': '7' }, DAYS)).toEqual([
    { field: 'note-2026-03-02', message: 'The note must be 500 characters or fewer' },
  ]);
});

it.each([
  ['entries[0].units', 'units-2026-03-02'],
  ['entries[1].units', 'units-2026-03-04'],
  ['entries[1].note', 'note-2026-03-04'],
  ['periodStart', 'units-2026-03-02'],
  ['periodEnd', 'units-2026-03-04'],
  ['entries', 'units-2026-03-02'],
])('an error of the service at %s links to the field %s', (path, field) => {
  const typed = { 'units-2026-03-02': '7', 'units-2026-03-03': '0', 'units-2026-03-04': '25' };
  const error = new DomainError('VALIDATION_FAILED', 'A refusal.', { details: [{ path, code: 'refused' }] });
  expect(problemsOfWork(error, typed, DAYS)).toEqual([{ field, message: 'A refusal.' }]);
});
