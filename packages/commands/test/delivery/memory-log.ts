import type { Log } from '@payroll/runtime';

interface Entry {
  level: 'info' | 'warn' | 'error';
  details: object;
  message: string;
}

/** What the packages under test call of a logger, kept. */
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
