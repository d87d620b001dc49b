export { load } from '@payroll/process';
