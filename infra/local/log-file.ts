import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const rotateAtBytes = 10 * 1024 * 1024;

/**
 * Opens a log for appending, to be handed to a child as its output: the child then needs neither a reader nor its parent.
 * A log that has grown large is set aside as `<file>.1` first.
 */
export function openLog(file: string): { fd: number; size: number; [Symbol.dispose](): void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > rotateAtBytes) renameSync(file, `${file}.1`);
  const fd = openSync(file, 'a', 0o600);
  return { fd, size: sizeOf(file), [Symbol.dispose]: () => closeSync(fd) };
}

/** What was written since the log had that size, its end at most; to say why a process died. */
export function readLogSince(file: string, size: number): string {
  const total = sizeOf(file);
  const length = Math.min(Math.max(total - size, 0), 16 * 1024);
  const buffer = Buffer.alloc(length);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, buffer, 0, length, total - length);
  } finally {
    closeSync(fd);
  }
  return buffer.toString('utf8');
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
