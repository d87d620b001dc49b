import { expect, test } from 'vitest';
import {
  above0,
  currency,
  day,
  email,
  flag,
  from0,
  ids,
  integer,
  list,
  object,
  orNull,
  percent,
  q,
  text,
  texts,
  words,
  type Bounds,
} from '../../test/bounds.js';
import { operations } from '../operations.js';
import { readJson } from './json.js';
import { createReader } from './reader.js';

// Every field of POST /contracts as public-api.md §4 lists it, repeated here so that the shapes are checked against it.

const frequency = words('daily weekly biweekly monthly');
const benefitFrequency = words('monthly quarterly annual');

const FIELDS: Readonly<Record<string, Bounds>> = {
  title: text(1, 200),
  professionalEmail: email,
  description: text(0, 10_000),
  employmentType: words('contractor'),
  contractType: words('contractor_fixed contractor_milestone contractor_payg contractor_creator'),
  countryOfEmployment: text(2, 2),
  startDate: day,
  endDate: day,
  terminationDate: day,
  noticePeriodDays: integer(0),
  department: words(
    'business_development customer_support data design engineering finance hr it legal marketing operations product sales other',
  ),
  seniority: words('intern lv1 lv2 lv3 lv4 lv5 lead manager director vp c_level'),
  employmentSubtype: words('full_time part_time'),
  specialClauses: text(0, 20_000),
  serviceTypes: texts,
  skills: texts,
  tools: texts,
  disputeResolutionMethod: words('arbitration court'),
  governingCountry: text(2, 2),
  governingStateProvince: text(0, 100),
  workSchedule: text(0),
  externalReference: text(1, 128),
  compensation: object,
  'compensation.type': words('hourly salary milestone retainer per_task'),
  'compensation.currency': currency,
  'compensation.rate': above0,
  'compensation.annualSalary': above0,
  'compensation.paymentFrequency': frequency,
  'compensation.retainerAmount': above0,
  'compensation.salaryUnit': words('per_hour per_week per_month per_year'),
  'compensation.signingBonus': from0,
  'compensation.probationPeriodDays': integer(0),
  'compensation.effectiveDate': day,
  invoicingSettings: object,
  'invoicingSettings.paymentMethod': words('bank_transfer wise payoneer usdc_wallet other'),
  'invoicingSettings.invoiceFrequency': frequency,
  'invoicingSettings.cycleClosesOn': text(0),
  'invoicingSettings.paymentDueDays': integer(0),
  'invoicingSettings.firstPaymentMethod': words('full_amount pro_rata'),
  'invoicingSettings.firstPaymentAmount': above0,
  'invoicingSettings.firstPaymentDate': day,
  'invoicingSettings.timesheetSubmitter': words('client contractor'),
  'invoicingSettings.timesheetApprovalRequired': flag,
  'invoicingSettings.autoApproveAfterDays': integer(1),
  'invoicingSettings.autoPayEnabled': flag,
  benefits: object,
  'benefits.bonusAmount': above0,
  'benefits.bonusFrequency': benefitFrequency,
  'benefits.allowanceAmount': above0,
  'benefits.allowanceFrequency': benefitFrequency,
  'benefits.commissionPercentage': percent,
  'benefits.commissionFrequency': benefitFrequency,
  'benefits.timeOffDays': integer(0),
  milestones: list,
  'milestones[0].title': text(1, 200),
  'milestones[0].description': text(0, 10_000),
  'milestones[0].amount': above0,
  'milestones[0].dueDate': day,
  'milestones[0].sortOrder': integer(0),
  'milestones[0].documentIds': ids,
  creatorTerms: object,
  'creatorTerms.exclusivity': words('none ongoing fixed_term'),
  'creatorTerms.exclusivityEndDate': orNull(day),
  'creatorTerms.ipOwnership': words('creator business'),
  'creatorTerms.usageNote': orNull(text(0, 2000)),
  creatorDeliverables: list,
  'creatorDeliverables[0].platform': words('youtube tiktok instagram facebook x other'),
  'creatorDeliverables[0].format': words('video post reel story other'),
  'creatorDeliverables[0].brief': text(1, 2000),
  'creatorDeliverables[0].dueDate': orNull(day),
  'creatorDeliverables[0].amount': above0,
  'creatorDeliverables[0].sortOrder': integer(0),
};

/** Required properties of each object apart from the tested field. */
const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  '': { title: '"t"' },
  compensation: { type: '"hourly"' },
  invoicingSettings: {},
  benefits: {},
  'milestones[0]': { title: '"m"', amount: '1' },
  creatorTerms: { exclusivity: '"none"', ipOwnership: '"creator"' },
  'creatorDeliverables[0]': { platform: '"x"', format: '"post"', brief: '"b"', amount: '1' },
};

function bodyWith(path: string, sent: string): string {
  const split = path.lastIndexOf('.');
  const [owner, name] = split < 0 ? ['', path] : [path.slice(0, split), path.slice(split + 1)];
  const inner = jsonOf({ ...NEEDED[owner], [name]: sent });
  if (owner === '') return inner;
  const isListed = owner.endsWith('[0]');
  return jsonOf({ ...NEEDED[''], [owner.replace('[0]', '')]: isListed ? `[${inner}]` : inner });
}

function jsonOf(parts: Record<string, string>): string {
  return `{${Object.entries(parts)
    .map(([name, value]) => `${q(name)}:${value}`)
    .join(',')}}`;
}

const { shape, rules } = operations.createContract.body;
const read = createReader(shape, rules);
const readText = (body: string) => read(readJson(new TextEncoder().encode(body)));

test.each(Object.entries(FIELDS))('%s has the bounds of the public contract', (path, { fits, wrong }) => {
  for (const sent of fits) expect(readText(bodyWith(path, sent)), sent.slice(0, 60)).toMatchObject({ ok: true });
  for (const [sent, code] of wrong) {
    const reading = readText(bodyWith(path, sent));
    expect(!reading.ok && reading.problems, sent.slice(0, 60)).toContainEqual({ path, code });
  }
});

test('covers every field', () => {
  const pathsOf = (object: { properties: object }, prefix: string): string[] =>
    Object.entries(object.properties).flatMap(
      ([name, part]: [string, { properties?: object; items?: { properties?: object } }]) => [
        prefix + name,
        ...(part.properties ? pathsOf({ properties: part.properties }, `${prefix}${name}.`) : []),
        ...(part.items?.properties ? pathsOf({ properties: part.items.properties }, `${prefix}${name}[0].`) : []),
      ],
    );
  expect(Object.keys(FIELDS).toSorted()).toEqual(pathsOf(shape, '').toSorted());
});
