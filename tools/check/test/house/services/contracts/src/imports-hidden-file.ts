export { isDecimal } from '@payroll/kernel/src/decimal.js';
