export { load } from '@payroll/store';
