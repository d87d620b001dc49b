import { recordOf, isCalendarDate, isPositiveDecimal, throwIfInvalid } from '@payroll/kernel';
import { ChoiceGroup, Field, MoneyField, textOf, type SentForm, type FieldMessages } from '@payroll/pages';
import type { VNode } from 'preact';
import type { Ending, Terms, Contract } from './operations.js';
import { daysText, unitOf } from '../../../words.js';

interface FieldsProps {
  contract: Contract;
  /** The form that is filled in again; null for a new one. */
  typed: SentForm | null;
}

export const REASON_WORDING: FieldMessages = {
  'reason too_short': 'Write the reason',
  'reason too_long': 'The reason must be 2,000 characters or fewer',
  'reason invalid_characters': 'The reason contains characters that are not allowed',
};

export function ReasonField({ typed, label }: { typed: SentForm | null; label: string }): VNode {
  const value = typed === null ? '' : textOf(typed, 'reason');
  return <Field name="reason" type="lines" label={label} hint="At most 2,000 characters." value={value} />;
}

const NOT_A_COUNT = 'Enter a whole number of days';
const NOT_A_DAY = 'Enter a day that exists';

export const TERMS_WORDING: FieldMessages = {
  'rate out_of_range': 'Enter a rate above zero that can be paid',
  'rate too_precise': 'The rate has more decimal places than can be paid',
  rate: 'Enter the rate as a number, such as 85.50',
  'paymentDueDays out_of_range': 'Enter 0 days or more',
  'paymentDueDays implausible': 'Enter 3,650 days or fewer',
  paymentDueDays: NOT_A_COUNT,
  'autoApproveAfterDays out_of_range': 'Enter 1 day or more, or nothing for never',
  autoApproveAfterDays: NOT_A_COUNT,
  'endDate before_start_date': 'The last day lies before the first',
  endDate: NOT_A_DAY,
  'terminationDate after_end_date': 'The contract cannot be terminated after its last day',
  'terminationDate before_start_date': 'The contract cannot be terminated before its first day',
  terminationDate: NOT_A_DAY,
};

/** As texts of the form. */
export function valuesOfTerms({ details }: Contract): Record<TermName, string> {
  const { currency: _, ...terms } = details.terms;
  return recordOf(TERM_NAMES, (name) => {
    const now = terms[name];
    if (typeof now === 'boolean') return now ? 'yes' : 'no';
    return now === null ? '' : String(now);
  });
}

type TermName = keyof typeof READERS;

export function TermsFields({ contract, typed }: FieldsProps): VNode {
  const now = valuesOfTerms(contract);
  const value = (name: TermName): string => (typed === null ? now[name] : textOf(typed, name));
  const yesOrNo = (name: 'autoPayEnabled' | 'timesheetApprovalRequired', legend: string): VNode => (
    <ChoiceGroup name={name} legend={legend} type="radio" choices={YES_OR_NO} chosen={[value(name)]} />
  );
  return (
    <>
      <MoneyField
        name="rate"
        label="Rate"
        hint={`Per ${unitOf(contract.details.compensation?.type)}.`}
        value={value('rate')}
        currency={contract.details.terms.currency}
      />
      <Field
        name="paymentDueDays"
        label="Days from the end of a period to its payment"
        value={value('paymentDueDays')}
      />
      {yesOrNo('autoPayEnabled', 'Are payments made automatically when due?')}
      {yesOrNo('timesheetApprovalRequired', 'Do timesheets need approval?')}
      <Field
        name="autoApproveAfterDays"
        label="Days until a submitted timesheet is approved automatically"
        hint="Leave it empty for never."
        value={value('autoApproveAfterDays')}
      />
    </>
  );
}

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** Validates and parses the text of each term. */
const READERS = {
  rate: { isValid: isPositiveDecimal, read: (text: string) => text },
  paymentDueDays: { isValid: isCount, read: Number },
  autoPayEnabled: { isValid: isAnything, read: isYes },
  timesheetApprovalRequired: { isValid: isAnything, read: isYes },
  autoApproveAfterDays: {
    isValid: (text: string) => text === '' || isCount(text),
    read: (text: string) => (text === '' ? null : Number(text)),
  },
};
const TERM_NAMES = Object.keys(READERS) as TermName[];

/** The changed terms only: the service keeps the others. */
export function termsOf(form: SentForm, changed: ReadonlySet<string>): Terms {
  const given = TERM_NAMES.filter((name) => changed.has(name)).map(
    (name) => [name, textOf(form, name).trim()] as const,
  );
  const unreadable = given.filter(([name, text]) => !READERS[name].isValid(text));
  throwIfInvalid(
    unreadable.map(([path]) => ({ path, code: 'invalid_format' })),
    'The terms are not valid.',
  );
  return Object.fromEntries(given.map(([name, text]) => [name, READERS[name].read(text)]));
}

function isCount(text: string): boolean {
  return /^\d{1,6}$/.test(text);
}

function isYes(text: string): boolean {
  return text === 'yes';
}

function isAnything(): boolean {
  return true;
}

export function EndFields({ contract: { endDate, details }, typed }: FieldsProps): VNode {
  const value = (name: string, now: string | null): string => (typed === null ? (now ?? '') : textOf(typed, name));
  return (
    <>
      <Field name="endDate" type="date" label="Last day" value={value('endDate', endDate)} />
      <Field
        name="terminationDate"
        type="date"
        label="Terminated on"
        hint={`Leave it empty where the contract ends as agreed.${agreedNotice(details)}`}
        value={value('terminationDate', details.terminationDate)}
      />
    </>
  );
}

function agreedNotice({ noticePeriodDays }: Contract['details']): string {
  return noticePeriodDays === null ? '' : ` The agreed notice is ${daysText(noticePeriodDays)}.`;
}

export function endOf(form: SentForm): Ending {
  const [endDate, terminationDate] = [textOf(form, 'endDate'), textOf(form, 'terminationDate')];
  throwIfInvalid(
    [
      ...(isCalendarDate(endDate) ? [] : [{ path: 'endDate', code: 'invalid_format' }]),
      ...(terminationDate === '' || isCalendarDate(terminationDate)
        ? []
        : [{ path: 'terminationDate', code: 'invalid_format' }]),
    ],
    'The dates are not valid.',
  );
  return { endDate, terminationDate: terminationDate || null };
}
