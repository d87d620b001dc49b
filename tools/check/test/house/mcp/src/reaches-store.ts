export { load } from '@payroll/runtime';
