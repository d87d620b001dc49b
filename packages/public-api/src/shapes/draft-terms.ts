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
import { count, Day, exactNumber, oneOf, text } from './scalars.js';

const exactly = { additionalProperties: false };
const positive = () => Type.Optional(exactNumber({ exclusiveMinimum: 0 }));

export const Compensation = Type.Object(
  {
    type: oneOf(COMPENSATION_TYPES),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3, default: 'USD' })),
    rate: positive(),
    annualSalary: positive(),
    paymentFrequency: Type.Optional(oneOf(FREQUENCIES)),
    retainerAmount: positive(),
    salaryUnit: Type.Optional(oneOf(SALARY_UNITS)),
    signingBonus: Type.Optional(exactNumber({ minimum: 0 })),
    probationPeriodDays: Type.Optional(count(0)),
    effectiveDate: Type.Optional(Day),
  },
  exactly,
);

export const InvoicingSettings = Type.Object(
  {
    paymentMethod: Type.Optional(oneOf(PAYMENT_METHODS)),
    invoiceFrequency: Type.Optional(oneOf(FREQUENCIES)),
    cycleClosesOn: Type.Optional(text()),
    paymentDueDays: Type.Optional(count(0, { default: 0 })),
    firstPaymentMethod: Type.Optional(oneOf(FIRST_PAYMENT_METHODS)),
    firstPaymentAmount: positive(),
    firstPaymentDate: Type.Optional(Day),
    timesheetSubmitter: Type.Optional(oneOf(TIMESHEET_SUBMITTERS)),
    timesheetApprovalRequired: Type.Optional(Type.Boolean({ default: true })),
    autoApproveAfterDays: Type.Optional(count(1)),
    autoPayEnabled: Type.Optional(Type.Boolean({ default: true })),
  },
  exactly,
);

export const Benefits = Type.Object(
  {
    bonusAmount: positive(),
    bonusFrequency: Type.Optional(oneOf(BENEFIT_FREQUENCIES)),
    allowanceAmount: positive(),
    allowanceFrequency: Type.Optional(oneOf(BENEFIT_FREQUENCIES)),
    commissionPercentage: Type.Optional(exactNumber({ minimum: 0, maximum: 100 })),
    commissionFrequency: Type.Optional(oneOf(BENEFIT_FREQUENCIES)),
    timeOffDays: Type.Optional(count(0)),
  },
  exactly,
);
