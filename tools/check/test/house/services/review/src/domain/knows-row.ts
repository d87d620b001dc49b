import type { TimesheetRow } from '../store/tables.js';

export const hoursOf = (row: TimesheetRow): string => row.hours;
