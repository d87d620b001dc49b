import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { processes } from '@payroll/infra/processes';

/** Polls the condition instead of sleeping. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come about within ${withinMs} ms: ${String(holds)}`);
    await sleep(20);
  }
}

/** Removed after the test. */
export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'infra-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs a TypeScript file of this folder's parent in a separate process, so that a test can kill it. */
export function runTs(file: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const tsx = import.meta.resolve('tsx');
  return spawn(process.execPath, ['--import', tsx, path, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it said anything`)));
  });
}

/** A repository in which every process is the small stand-in of this folder. */
export function fixtureRoot(): string {
  const root = temporaryDirectory();
  const source = fileURLToPath(new URL('process.mjs', import.meta.url));
  for (const { entry } of processes) {
    const target = join(root, entry);
    mkdirSync(dirname(target), { recursive: true });
    // Node looks for the type of a .js file in the nearest package.json; without one it detects the module syntax.
    copyFileSync(source, target);
  }
  return root;
}
