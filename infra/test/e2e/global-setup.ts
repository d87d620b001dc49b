import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import type { TestProject } from 'vitest/node';
import type { StackFile } from '../../local/stack-file.js';

declare module 'vitest' {
  export interface ProvidedContext {
    underTest: UnderTest;
  }
}

/** The system that these tests meet as its integrators do. */
export interface UnderTest {
  /** Of `/v1`, or of a proxy before it. */
  baseUrl: string;
  stack: StackFile;
}

/**
 * `STACK_DIR` names a system that runs (the folder of its `stack.json`); without it one of our own is started.
 * `BASE_URL` leads elsewhere than straight to its facade.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new AsyncDisposableStack();
  const dir = process.env['STACK_DIR'];
  const stack = dir === undefined ? await startOwn(started) : await runningIn(dir);
  project.provide('underTest', { baseUrl: process.env['BASE_URL'] ?? stack.rest.url, stack });
  return () => started.disposeAsync();
}

async function runningIn(dir: string): Promise<StackFile> {
  const { readStackFile } = await load<typeof import('../../local/stack-file.js')>('../../local/stack-file.ts');
  const stack = readStackFile(join(dir, 'stack.json'));
  if (!stack) throw new Error(`STACK_DIR: nothing runs in ${dir}; npm start keeps its stack.json in .local`);
  return stack;
}

async function startOwn(started: AsyncDisposableStack): Promise<StackFile> {
  type ThrowAway = typeof import('../../local/stack.js');
  const { startThrowAwayStack } = await load<ThrowAway>('../../local/stack.ts');
  const { seedPeople } = await load<typeof import('../../demo/seed.js')>('../../demo/seed.ts');
  return started.use(await startThrowAwayStack('e2e', seedPeople)).file;
}

/** By Node and not by vite, whose loader of set-up files has no import.meta.resolve. */
async function load<Module>(file: string): Promise<Module> {
  return (await tsImport(file, import.meta.url)) as Module;
}
