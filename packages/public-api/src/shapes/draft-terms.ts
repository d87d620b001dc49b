import {
  BENEFIT_FREQUENCIES,
  COMPENSATION_TYPES,
  FIRST_PAYMENT_METHODS,
  FREQUENCIES,
  PAYMENT_METHODS,
  SALARY_UNITS,
  TIMESHEET_SUBMITTERS,
} from '@payroll/kernel';
import { Type } from 'typebox';
import { count, Day, exactNumber, noted, oneOf, text } from './scalars.js';

const exactly = (description: string) => ({ additionalProperties: false, description });
const positive = (description: string) => Type.Optional(exactNumber({ exclusiveMinimum: 0, description }));
const word = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Optional(oneOf(words, { description }));

export const Frequency = oneOf(FREQUENCIES, { description: 'How often.' });
export const BenefitFrequency = oneOf(BENEFIT_FREQUENCIES, { description: 'How often.' });

const frequency = (description: string) => Type.Optional(noted(Frequency, description));
const benefitFrequency = (description: string) => Type.Optional(noted(BenefitFrequency, description));

export const Compensation = Type.Object(
  {
    type: oneOf(COMPENSATION_TYPES, { description: 'What is paid for.' }),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        minLength: 3,
        maxLength: 3,
        default: 'USD',
        description: 'Of all amounts of the draft, those of milestones and deliverables too.',
      }),
    ),
    rate: positive('Per unit worked.'),
    annualSalary: positive('Per year.'),
    paymentFrequency: frequency('How often it is paid.'),
    retainerAmount: positive('Per period.'),
    salaryUnit: word(SALARY_UNITS, 'What the salary is quoted per.'),
    signingBonus: Type.Optional(exactNumber({ minimum: 0, description: 'Paid once.' })),
    probationPeriodDays: Type.Optional(count(0, { description: 'Days of probation.' })),
    effectiveDate: Type.Optional(noted(Day, 'From when on this holds.')),
  },
  exactly('What the work is paid.'),
);

export const InvoicingSettings = Type.Object(
  {
    paymentMethod: word(PAYMENT_METHODS, 'By what way the worker is paid.'),
    invoiceFrequency: frequency('How often is invoiced.'),
    cycleClosesOn: Type.Optional(text({ description: 'When a cycle closes, such as `last_day_of_month`.' })),
    paymentDueDays: Type.Optional(
      count(0, { default: 0, description: 'Days from the end of a period to the day its payment is due.' }),
    ),
    firstPaymentMethod: word(FIRST_PAYMENT_METHODS, 'How much of the first period is paid.'),
    firstPaymentAmount: positive('What the first payment is.'),
    firstPaymentDate: Type.Optional(noted(Day, 'When the first payment is.')),
    timesheetSubmitter: word(TIMESHEET_SUBMITTERS, 'Who hands timesheets in.'),
    timesheetApprovalRequired: Type.Optional(
      Type.Boolean({ default: true, description: 'False: timesheets are approved as soon as they are submitted.' }),
    ),
    autoApproveAfterDays: Type.Optional(
      count(1, { description: 'Submitted timesheets are approved after so many days.' }),
    ),
    autoPayEnabled: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether payments are processed by themselves on the day they are due.',
      }),
    ),
  },
  exactly('How the work is invoiced, approved and paid.'),
);

export const Benefits = Type.Object(
  {
    bonusAmount: positive('Each time.'),
    bonusFrequency: benefitFrequency('How often the bonus is paid.'),
    allowanceAmount: positive('Each time.'),
    allowanceFrequency: benefitFrequency('How often the allowance is paid.'),
    commissionPercentage: Type.Optional(exactNumber({ minimum: 0, maximum: 100, description: 'Percent.' })),
    commissionFrequency: benefitFrequency('How often the commission is paid.'),
    timeOffDays: Type.Optional(count(0, { description: 'Per year.' })),
  },
  exactly('What comes on top.'),
);
