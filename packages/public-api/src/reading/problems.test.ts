import { expect, test } from 'vitest';
import { operations } from '../operations.js';
import { contractFilters, pageQuery } from '../shapes/page.js';
import { Rejection } from '../shapes/resources.js';
import { readValue } from './json.js';
import { below, placeOfPointer } from './problems.js';
import { createParameterReader, createReader } from './reader.js';

test('an index is in brackets, a property follows a point, even if it is named 0', () => {
  const path = (pointer: string, root: unknown) => placeOfPointer(pointer, root).path;
  expect(path('/milestones/0/amount', { milestones: [{}] })).toBe('milestones[0].amount');
  expect(path('/compensation/0', { compensation: { 0: 1 } })).toBe('compensation.0');
  expect(path('', null)).toBe('');
  expect(path('/a~1b~0c', { 'a/b~c': 1 })).toBe('a/b~c');
});

test('returns the value at the path', () => {
  expect(placeOfPointer('/milestones/0/amount', { milestones: [{ amount: 5 }] }).value).toBe(5);
  expect(placeOfPointer('/not/there', {}).value).toBeUndefined();
});

test('a hostile name is truncated and well-formed', () => {
  expect(below('', 'x'.repeat(1000))).toHaveLength(200);
  expect(below('', '\ud800').isWellFormed()).toBe(true);
});

const { shape, rules } = operations.createContract.body;
const readDraft = createReader(shape, rules);
const readQuery = createParameterReader(pageQuery(contractFilters, 50));

function why(reading: ReturnType<typeof readDraft>): string {
  return reading.ok ? '' : reading.explanation;
}

test.each<[object, string]>([
  [{}, 'title is required: text of 1 to 200 characters'],
  [{ title: '' }, 'title must be text of 1 to 200 characters'],
  [{ title: 5 }, 'title must be text of 1 to 200 characters'],
  [{ color: 'red' }, 'color is not known here'],
  [{ startDate: '2025-02-29' }, 'startDate must be a day of the calendar as YYYY-MM-DD'],
  [{ professionalEmail: 'x' }, 'professionalEmail must be an email address of at most 254 characters'],
  [{ countryOfEmployment: 'DEU' }, 'countryOfEmployment must be text of 2 characters'],
  [{ employmentType: 'intern' }, 'employmentType must be one of employee, contractor'],
  [{ noticePeriodDays: 2_147_483_648 }, 'noticePeriodDays must be a whole number from 0 to 2147483647'],
  [{ noticePeriodDays: -1 }, 'noticePeriodDays must be a whole number from 0 to 2147483647'],
  [{ skills: 'a' }, 'skills must be a list of at most'],
  [{ compensation: [] }, 'compensation must be an object'],
  [{ compensation: { type: 'hourly', rate: 0 } }, 'compensation.rate must be a number above 0'],
  [{ benefits: { commissionPercentage: 101 } }, 'benefits.commissionPercentage must be a number from 0 to 100'],
  [
    {
      milestones: [
        { title: 't', amount: 1 },
        { amount: 'x', title: 't', documentIds: ['y'] },
      ],
    },
    'milestones[1].amount must be a number above 0; milestones[1].documentIds[0] must be a UUID',
  ],
  [{ employmentType: 'employee' }, 'countryOfEmployment is required: text of 2 characters'],
  [{ title: 'a\0' }, 'title must not have U+0000'],
  [
    { employmentType: 'employee', contractType: 'contractor_fixed', countryOfEmployment: 'DE' },
    'must agree with employmentType',
  ],
  [{ invoicingSettings: { autoPayEnabled: 'yes' } }, 'invoicingSettings.autoPayEnabled must be true or false'],
])('explains %j: %s', (draft, words) => {
  const title = Object.keys(draft).length === 0 ? {} : { title: 'T' };
  expect(why(readDraft(readValue({ ...title, ...draft })))).toContain(words);
});

test('explains that a body must be an object', () => {
  expect(why(readDraft(readValue([])))).toBe('it must be an object');
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], null);
  expect(why(readDraft(readValue({ title: 'T', milestones: deep })))).toContain('milestones');
});

test.each<[Record<string, string>, string]>([
  [{ limit: '0' }, 'limit must be a whole number from 1 to 100'],
  [{ limit: 'ten' }, 'limit must be a whole number from 1 to 100'],
  [{ status: 'done' }, 'status must be one of draft, pending_verification,'],
  [{ updatedSince: 'yesterday' }, 'updatedSince must be a UTC time as 2026-01-31T09:30:00Z'],
  [{ includeDeleted: 'yes' }, 'includeDeleted must be one of true, false'],
  [{ worker: 'x' }, 'worker is not known here'],
])('explains the query %j: %s', (query, words) => {
  expect(why(readQuery(query) as never)).toContain(words);
});

test('refuses a reason of white space', () => {
  const reading = createReader(Rejection)(readValue({ expectedVersion: 'v', reason: ' ' }));
  expect(why(reading as never)).toBe('reason must be text of 1 to 2000 characters');
});

test('says once what is too long and of another form', () => {
  const saidOf = (startDate: string) => {
    const reading = readDraft(readValue({ title: 'T', startDate }));
    return reading.ok ? [] : [reading.problems.length, reading.explanation];
  };
  expect(saidOf('2025-01-31T00:00:00Z')).toEqual([2, 'startDate must be a day of the calendar as YYYY-MM-DD']);
});

test('explains a few of many problems, and treats prototype names as unknown', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, n]));
  const said = why(readDraft(readValue({ title: 'T', ...many, constructor: 1 })));
  expect(said).toMatch(/^p0 is not known here; (?:p\d+ is not known here; ){4}and 46 more in details$/);
});

test('a list that is too long, or too many unknown properties, are all that is reported', () => {
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key${n}`, 1]));
  const problemsWith = (draft: object) => {
    const reading = readDraft(readValue({ title: 1, ...draft }));
    return reading.ok ? [] : reading.problems;
  };
  expect(problemsWith({ skills: Array.from({ length: 501 }, () => 1) })).toEqual([
    { path: 'skills', code: 'too_long' },
  ]);
  expect(problemsWith({ milestones: Array.from({ length: 501 }, () => ({})) })).toEqual([
    { path: 'milestones', code: 'too_long' },
  ]);
  expect(problemsWith(unknown)).toEqual(
    Array.from({ length: 1_000 }, (_, n) => ({ path: `key${n}`, code: 'unknown_property' })),
  );
});
