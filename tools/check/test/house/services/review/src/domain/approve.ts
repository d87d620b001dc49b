// Allowed: the domain imports the kernel, digests and itself.
import { createHash } from 'node:crypto';
import { isDecimal } from '@payroll/kernel';

export interface Timesheet {
  hours: string;
}

export const approve = ({ hours }: Timesheet): string =>
  isDecimal(hours) ? createHash('sha256').update(hours).digest('hex') : 'refused';
