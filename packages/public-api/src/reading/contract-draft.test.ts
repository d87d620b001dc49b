import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../operations.js';
import { readJson } from './json.js';
import { createReader } from './reader.js';

const read = createReader(operations.createContract.body.shape, operations.createContract.body.rules);
const readText = (text: string) => read(readJson(new TextEncoder().encode(text)));
const readDraft = (draft: object) => readText(JSON.stringify({ title: 'A contract', ...draft }));

function problems(reading: ReturnType<typeof read>): string[] {
  return reading.ok ? [] : reading.problems.map(({ path, code }) => `${path} ${code}`).toSorted();
}

test('only the title is required', () => {
  expect(readDraft({})).toEqual({ ok: true, value: { title: 'A contract' } });
  expect(problems(readText('{}'))).toEqual(['title required']);
});

test('reports all problems together, including those in nested objects', () => {
  const draft = {
    title: '',
    color: 'red',
    startDate: '2025-02-29',
    noticePeriodDays: -1,
    skills: ['a', 3],
    compensation: { rate: 0, currency: 'usd', unit: 1 },
    milestones: [{ title: 'One', amount: '5' }, { amount: -1 }],
    creatorTerms: { exclusivity: 'some', ipOwnership: 'creator' },
  };
  expect(problems(readDraft(draft))).toEqual([
    'color unknown_property',
    'compensation.currency invalid_format',
    'compensation.rate out_of_range',
    'compensation.type required',
    'compensation.unit unknown_property',
    'creatorTerms.exclusivity invalid_value',
    'milestones[0].amount invalid_type',
    'milestones[1].amount out_of_range',
    'milestones[1].title required',
    'noticePeriodDays out_of_range',
    'skills[1] invalid_type',
    'startDate invalid_format',
    'title too_short',
  ]);
});

test('fifty unknown properties are fifty problems', () => {
  const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, index]));
  expect(problems(readDraft(unknown))).toHaveLength(50);
});

test.each(['[]', 'null', '"text"', '3', 'true'])('%s is not a draft', (text) => {
  expect(problems(readText(text))).toEqual([' invalid_type']);
});

const HOSTILE = '"__proto__":{"title":"x"},"constructor":1,"toString":2,"hasOwnProperty":3';
test.each([
  ['', `{"title":"t",${HOSTILE}}`],
  ['compensation.', `{"title":"t","compensation":{"type":"hourly",${HOSTILE}}}`],
  ['milestones[1].', `{"title":"t","milestones":[{"title":"m","amount":1},{"title":"m","amount":1,${HOSTILE}}]}`],
])('below "%s" names of the prototype are unknown properties', (path, text) => {
  expect(problems(readText(text))).toEqual(
    ['__proto__', 'constructor', 'hasOwnProperty', 'toString'].map((name) => `${path}${name} unknown_property`),
  );
});

test('the last of two equal properties counts, for the fingerprint of the request too', () => {
  const json = readJson(new TextEncoder().encode('{"title":5,"title":"t"}'));
  expect(read(json)).toEqual({ ok: true, value: { title: 't' } });
  expect(json.exact).toEqual({ title: 't' });
});

test('lengths count code points', () => {
  expect(problems(readDraft({ title: '😀'.repeat(200) }))).toEqual([]);
  expect(problems(readDraft({ title: '😀'.repeat(201) }))).toEqual(['title too_long']);
  expect(problems(readDraft({ countryOfEmployment: '😀😀' }))).toEqual([]);
  expect(
    problems(readDraft({ creatorTerms: { exclusivity: 'none', ipOwnership: 'creator', usageNote: 'a'.repeat(2001) } })),
  ).toEqual(['creatorTerms.usageNote too_long']);
});

test('null is accepted only where the contract says so', () => {
  const terms = { exclusivity: 'none', ipOwnership: 'creator', exclusivityEndDate: null, usageNote: null };
  expect(problems(readDraft({ creatorTerms: terms }))).toEqual([]);
  expect(problems(readDraft({ description: null, startDate: null }))).toEqual([
    'description invalid_type',
    'startDate invalid_type',
  ]);
});

test('U+0000 and unpaired surrogates are refused in every text', () => {
  expect(problems(readText(String.raw`{"title":"a\u0000b"}`))).toEqual(['title invalid_characters']);
  expect(problems(readText(String.raw`{"title":"t","skills":["\ud800"]}`))).toEqual(['skills[0] invalid_characters']);
});

test('an email has neither line breaks nor two at signs, and a host with a dot', () => {
  expect(problems(readDraft({ professionalEmail: 'worker@example.com' }))).toEqual([]);
  for (const professionalEmail of ['', 'worker', 'a@b', 'a@b@c', '"a\nb"@example.com', 'worker@example.com\n']) {
    expect(problems(readDraft({ professionalEmail }))).toEqual(['professionalEmail invalid_format']);
  }
});

test('a draft has at most 500 milestones', () => {
  const rows = (length: number) => ({ milestones: Array.from({ length }, () => ({ title: 'm', amount: 1 })) });
  expect(problems(readDraft(rows(500)))).toEqual([]);
  expect(problems(readDraft(rows(501)))).toEqual(['milestones too_long']);
});

test('year 0 is refused, because Postgres does not know it', () => {
  expect(problems(readDraft({ startDate: '0000-01-01', endDate: '0001-01-01' }))).toEqual(['startDate invalid_format']);
});

test('an amount keeps every digit that was sent', () => {
  const amount = '12345678901234567890.123456789';
  const reading = readText(`{"title":"t","milestones":[{"title":"m","amount":${amount}}]}`);
  expect(reading.ok && reading.value.milestones).toEqual([{ title: 'm', amount }]);
});

test('a value that a float would round to the bound still violates it', () => {
  const benefits = (percentage: string) =>
    problems(readText(`{"title":"t","benefits":{"commissionPercentage":${percentage}}}`));
  expect(benefits('100')).toEqual([]);
  expect(benefits('100.0000000000000000000001')).toEqual(['benefits.commissionPercentage out_of_range']);
  for (const digits of ['1.00000000000000000001', `1.${'0'.repeat(60)}1`, '1e-400']) {
    const said = problems(readText(`{"title":"t","noticePeriodDays":${digits}}`));
    expect(said, digits).toEqual(['noticePeriodDays invalid_type']);
  }
  expect(problems(readText('{"title":"t","noticePeriodDays":1e400}'))).toEqual(['noticePeriodDays out_of_range']);
  expect(problems(readText('{"title":"t","noticePeriodDays":1.0}'))).toEqual([]);
});

test('an amount that needs more than 40 characters, in its currency, is refused', () => {
  const rate = (number: string, currency: string) =>
    problems(readText(`{"title":"t","compensation":{"type":"hourly","rate":${number},"currency":"${currency}"}}`));
  expect(rate('9'.repeat(37), 'USD')).toEqual([]);
  expect(rate('9'.repeat(38), 'USD')).toEqual(['compensation.rate too_long']);
  expect(rate('9'.repeat(40), 'JPY')).toEqual([]);
  expect(rate('1e400', 'USD')).toContain('compensation.rate too_long');
  expect(rate('1e-400', 'USD')).toContain('compensation.rate too_long');
});

test('defaults are filled in only inside objects that were sent', () => {
  const reading = readDraft({ compensation: { type: 'hourly' }, invoicingSettings: {} });
  expect(reading.ok && reading.value).toEqual({
    title: 'A contract',
    compensation: { type: 'hourly', currency: 'USD' },
    invoicingSettings: { paymentDueDays: 0, timesheetApprovalRequired: true, autoPayEnabled: true },
  });
});

test('supplied types must agree', () => {
  expect(problems(readDraft({ employmentType: 'contractor', contractType: 'contractor_payg' }))).toEqual([]);
  expect(problems(readDraft({ employmentType: 'contractor', contractType: 'employment_at_will' }))).toEqual([
    'contractType types_disagree',
  ]);
  expect(
    problems(readDraft({ employmentType: 'employee', contractType: 'contractor_payg', countryOfEmployment: 'NL' })),
  ).toEqual(['contractType types_disagree']);
});

test('an employee needs a country, whichever of the two types says so', () => {
  expect(problems(readDraft({ employmentType: 'employee' }))).toEqual(['countryOfEmployment required']);
  expect(problems(readDraft({ contractType: 'employment_at_will' }))).toEqual(['countryOfEmployment required']);
  expect(problems(readDraft({ contractType: 'employment_at_will', countryOfEmployment: 'NL' }))).toEqual([]);
});

test('a body of half a million brackets is refused without a crash', { timeout: 20_000 }, () => {
  expect(problems(readText(`{"title":"t","x":${'['.repeat(400_000)}${']'.repeat(400_000)}}`))).toEqual([
    'x unknown_property',
  ]);
});

test('does not throw for any JSON value', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.constantFrom('milestones', 'compensation', 'skills', 'benefits'),
      (json, name) => {
        const reading = readText(`{"title":"t","${name}":${json}}`);
        expect(reading.ok || reading.problems.length > 0).toBe(true);
      },
    ),
  );
});
