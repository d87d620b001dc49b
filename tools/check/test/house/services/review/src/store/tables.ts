export interface TimesheetRow {
  hours: string;
}

export const tables = ['timesheet'];
