import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { Check } from './checks.ts';
import { root } from './root.ts';

export interface Outcome {
  readonly check: Check;
  readonly isPassed: boolean;
  readonly output: string;
  readonly durationMs: number;
}

/** Runs checks side by side, at most `width` at a time, each after the one it names. */
export async function runChecks(
  checks: readonly Check[],
  width: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const inTurn = limit(width);
  const outcomes = new Map<string, Promise<Outcome>>();
  for (const check of checks) {
    const before = outcomes.get(check.after ?? '');
    const outcome = (async () => {
      await before;
      const its = await inTurn(() => run(check));
      onOutcome(its);
      return its;
    })();
    outcomes.set(check.name, outcome);
  }
  return await Promise.all(outcomes.values());
}

function limit(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let free = width;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in the queue, so that nobody slips in between.
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}

async function run(check: Check): Promise<Outcome> {
  const [program, ...args] = check.command;
  const bin = join(root, 'node_modules/.bin');
  const startedAt = performance.now();
  const child = spawn(join(bin, program), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tools start their own Node: it has to be the pinned one too.
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isPassed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { check, isPassed, output: output.trim(), durationMs: performance.now() - startedAt };
}
