import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOf } from './process-identity.js';

export type Guardian = Awaited<ReturnType<typeof startGuardian>>;

/**
 * A small process that outlives this one: however this one ends, the guardian stops the processes it watches and
 * removes the paths it was given. It notices by the pipe between them, which the kernel closes even after SIGKILL.
 */
export async function startGuardian() {
  // Runs from source (vitest) or from the build; the extension shows which one this is.
  const program = fileURLToPath(
    new URL(`./guardian-process${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
  );
  const child = spawn(process.execPath, ['--no-warnings', program], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  await once(child, 'spawn');
  child.unref();
  const { stdin } = child;
  if (stdin === null || child.pid === undefined) throw new Error('the guardian has no pipe');
  if (stdin instanceof Socket) stdin.unref();
  // An exited guardian must not take this process with it.
  stdin.on('error', () => {});
  const ended = once(child, 'exit');
  const tell = (...words: string[]): void => void stdin.write(`${JSON.stringify(words)}\n`);
  return {
    pid: child.pid,
    /** @param signal for an orderly stop; SIGKILL follows after 5 s */
    watch(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
      const start = startOf(pid);
      if (start !== undefined) tell('watch', String(pid), start, signal);
    },
    forget: (pid: number) => tell('forget', String(pid)),
    removeAtEnd: (path: string) => tell('remove', path),
    keep: (path: string) => tell('keep', path),
    async [Symbol.asyncDispose](): Promise<void> {
      stdin.end();
      child.ref();
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
}
