import type { Log } from '@payroll/runtime';

interface Entry {
  level: 'info' | 'warn' | 'error';
  details: object;
  message: string;
}

/** Records the log calls of the packages under test. */
class Entries {
  readonly entries: Entry[] = [];

  info(details: object, message: string): void {
    this.entries.push({ level: 'info', details, message });
  }

  warn(details: object, message: string): void {
    this.entries.push({ level: 'warn', details, message });
  }

  error(details: object, message: string): void {
    this.entries.push({ level: 'error', details, message });
  }

  of(level: Entry['level']): string[] {
    return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
  }
}

export type MemoryLog = Log & Entries;

export function memoryLog(): MemoryLog {
  return new Entries() as Entries & Log;
}
