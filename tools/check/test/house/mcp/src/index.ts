// Allowed: the kernel does no I/O.
export { isDecimal } from '@payroll/kernel';
