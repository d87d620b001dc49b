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

type TermName = keyof typeof TERM_READERS;

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

interface Reader {
  isValid: (text: string) => boolean;
  read: (text: string) => string | number | boolean | null;
}

const COUNT: Reader = { isValid: (text) => /^\d{1,6}$/.test(text), read: Number };
const FLAG: Reader = { isValid: () => true, read: (text) => text === 'yes' };
const DAY: Reader = { isValid: isCalendarDate, read: String };
const orNone = ({ isValid, read }: Reader): Reader => ({
  isValid: (text) => text === '' || isValid(text),
  read: (text) => (text === '' ? null : read(text)),
});

const TERM_READERS = {
  rate: { isValid: isPositiveDecimal, read: String },
  paymentDueDays: COUNT,
  autoPayEnabled: FLAG,
  timesheetApprovalRequired: FLAG,
  autoApproveAfterDays: orNone(COUNT),
} satisfies Record<string, Reader>;
const TERM_NAMES = Object.keys(TERM_READERS) as TermName[];

/** The fields of a form, parsed. @throws DomainError `VALIDATION_FAILED` */
function valuesIn(form: SentForm, readers: Readonly<Record<string, Reader>>): object {
  const given = Object.entries(readers).map(([path, reader]) => ({ path, text: textOf(form, path).trim(), ...reader }));
  const unreadable = given.filter(({ isValid, text }) => !isValid(text));
  throwIfInvalid(
    unreadable.map(({ path }) => ({ path, code: 'invalid_format' })),
    'The terms are not valid.',
  );
  return Object.fromEntries(given.map(({ path, read, text }) => [path, read(text)]));
}

/** The changed terms only: the service keeps the others. */
export function termsOf(form: SentForm, changed: ReadonlySet<string>): Terms {
  return valuesIn(form, Object.fromEntries(Object.entries(TERM_READERS).filter(([name]) => changed.has(name))));
}

export function endOf(form: SentForm): Ending {
  return valuesIn(form, { endDate: DAY, terminationDate: orNone(DAY) }) as Ending;
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
