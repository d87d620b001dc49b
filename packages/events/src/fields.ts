import { isCalendarDate, isDecimal, isId, isInstant } from '@payroll/kernel';
import { Type } from 'typebox';

// What the fields of events are made of. The rules are the kernel's own: an event is read as strictly as it was written.

export const id = Type.Refine(Type.String(), isId, () => 'must be an id');

export const instant = Type.Refine(Type.String(), isInstant, () => 'must be a UTC timestamp');

export const calendarDate = Type.Refine(Type.String(), isCalendarDate, () => 'must be a day');

export const decimal = Type.Refine(Type.String(), isDecimal, () => 'must be a decimal');

export const currency = Type.String({ pattern: '^[A-Z]{3,4}$' });

export const money = Type.Object({ amount: decimal, currency });

/** Grows with every change of the thing an event tells of; a consumer ignores lower ones, so events may overtake. */
export const revision = Type.Integer({ minimum: 0 });

export const days = Type.Integer({ minimum: 0 });
