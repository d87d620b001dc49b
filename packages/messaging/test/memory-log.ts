import type { Log } from '@payroll/messaging';

export interface Entry {
  level: 'info' | 'warn' | 'error';
  details: object;
  message: string;
}

/** Keeps what was logged; shows it when a test is run with LOG=1. */
export class MemoryLog implements Log {
  readonly entries: Entry[] = [];

  info = (details: object, message: string): void => this.keep({ level: 'info', details, message });
  warn = (details: object, message: string): void => this.keep({ level: 'warn', details, message });
  error = (details: object, message: string): void => this.keep({ level: 'error', details, message });

  private keep(entry: Entry): void {
    this.entries.push(entry);
    if (process.env['LOG']) console.log(new Date().toISOString(), JSON.stringify(entry));
  }
}
