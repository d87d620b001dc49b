import type { StackFile } from '@payroll/tools/local/stack-file';

/** Suspends a process while the work runs: requests to it get no answer. */
export async function whileStopped<Result>(
  { processes }: Pick<StackFile, 'processes'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const pid = processes[name];
  if (pid === undefined) throw new Error(`stack.json names no process ${name}`);
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
