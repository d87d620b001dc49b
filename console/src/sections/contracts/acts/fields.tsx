import { byName, isCalendarDate, isPositiveDecimal, refuseProblems } from '@payroll/kernel';
import { Choices, Field, textOf, type SentForm, type Wording } from '@payroll/pages';
import type { VNode } from 'preact';
import type { Ending, Terms } from './operations.js';
import type { Contract } from './contract.js';

interface FieldsProps {
  contract: Contract;
  /** The form that is filled in again; null for a new one. */
  typed: SentForm | null;
}

export const REASON_WORDING: Wording = {
  'reason too_short': 'Write the reason',
  'reason too_long': 'The reason must be 2,000 characters or fewer',
  'reason invalid_characters': 'The reason contains characters that are not allowed',
};

export function ReasonField({ typed, label }: { typed: SentForm | null; label: string }): VNode {
  const value = typed === null ? '' : textOf(typed, 'reason');
  return <Field name="reason" type="lines" label={label} hint="At most 2,000 characters." value={value} />;
}

export function reasonOf(form: SentForm): string {
  return textOf(form, 'reason');
}

const NOT_A_COUNT = 'Enter a whole number of days';
const NOT_A_DAY = 'Enter a day that exists';

export const TERMS_WORDING: Wording = {
  'rate out_of_range': 'Enter a rate above zero that can be paid',
  'rate too_precise': 'The rate has more decimal places than can be paid',
  rate: 'Enter the rate as a number, such as 85.50',
  'paymentDueDays out_of_range': 'Enter 0 days or more',
  paymentDueDays: NOT_A_COUNT,
  'autoApproveAfterDays out_of_range': 'Enter 1 day or more, or nothing for never',
  autoApproveAfterDays: NOT_A_COUNT,
  'endDate before_start_date': 'The last day lies before the first',
  endDate: NOT_A_DAY,
  'terminationDate before_start_date': 'The day of the notice’s end lies before the first day of the contract',
  terminationDate: NOT_A_DAY,
};

/** As texts of the form. */
export function valuesOfTerms({ details }: Contract): Record<TermName, string> {
  const { currency: _, ...terms } = details.terms;
  return byName(TERM_NAMES, (name) => {
    const now = terms[name];
    if (typeof now === 'boolean') return now ? 'yes' : 'no';
    return now === null ? '' : String(now);
  });
}

const TERM_NAMES = [
  'rate',
  'paymentDueDays',
  'autoPayEnabled',
  'timesheetApprovalRequired',
  'autoApproveAfterDays',
] as const;
type TermName = (typeof TERM_NAMES)[number];

export function TermsFields({ contract, typed }: FieldsProps): VNode {
  const now = valuesOfTerms(contract);
  const value = (name: TermName): string => (typed === null ? now[name] : textOf(typed, name));
  const yesOrNo = (name: 'autoPayEnabled' | 'timesheetApprovalRequired', legend: string): VNode => (
    <Choices {...{ name, legend, type: 'radio', choices: YES_OR_NO, chosen: [value(name)] }} />
  );
  return (
    <>
      <Field
        name="rate"
        label={`Rate in ${contract.details.terms.currency}`}
        hint="Per unit worked."
        value={value('rate')}
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

/** The changed terms only: the service keeps the others. */
export function termsOf(form: SentForm, changed: ReadonlySet<string>): Terms {
  const [rate, due, approve] = ['rate', 'paymentDueDays', 'autoApproveAfterDays'].map((name) =>
    textOf(form, name).trim(),
  ) as [string, string, string];
  const is = (name: TermName): boolean => changed.has(name);
  refuseProblems(
    [
      ...(is('rate') && !isPositiveDecimal(rate) ? [{ path: 'rate', code: 'invalid_format' }] : []),
      ...(is('paymentDueDays') && !isCount(due) ? [{ path: 'paymentDueDays', code: 'invalid_format' }] : []),
      ...(is('autoApproveAfterDays') && approve !== '' && !isCount(approve)
        ? [{ path: 'autoApproveAfterDays', code: 'invalid_format' }]
        : []),
    ],
    'These are no terms.',
  );
  return {
    ...(is('rate') && { rate }),
    ...(is('paymentDueDays') && { paymentDueDays: Number(due) }),
    ...(is('autoPayEnabled') && { autoPayEnabled: textOf(form, 'autoPayEnabled') === 'yes' }),
    ...(is('timesheetApprovalRequired') && {
      timesheetApprovalRequired: textOf(form, 'timesheetApprovalRequired') === 'yes',
    }),
    ...(is('autoApproveAfterDays') && { autoApproveAfterDays: approve === '' ? null : Number(approve) }),
  };
}

const isCount = (text: string): boolean => /^\d{1,6}$/.test(text);

export function EndFields({ contract: { endDate, details }, typed }: FieldsProps): VNode {
  const value = (name: string, now: string | null): string => (typed === null ? (now ?? '') : textOf(typed, name));
  return (
    <>
      <Field name="endDate" type="date" label="Last day" value={value('endDate', endDate)} />
      <Field
        name="terminationDate"
        type="date"
        label="Terminated on"
        hint="Leave it empty where the contract ends as agreed."
        value={value('terminationDate', details.terminationDate)}
      />
    </>
  );
}

export function endOf(form: SentForm): Ending {
  const [endDate, terminationDate] = [textOf(form, 'endDate'), textOf(form, 'terminationDate')];
  refuseProblems(
    [
      ...(isCalendarDate(endDate) ? [] : [{ path: 'endDate', code: 'invalid_format' }]),
      ...(terminationDate === '' || isCalendarDate(terminationDate)
        ? []
        : [{ path: 'terminationDate', code: 'invalid_format' }]),
    ],
    'These are no days.',
  );
  return { endDate, terminationDate: terminationDate || null };
}
