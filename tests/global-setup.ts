import { tsImport } from 'tsx/esm/api';
import type { TestProject } from 'vitest/node';
import type { TestBackends } from '@payroll/tools/local/test-server';

type TestServer = typeof import('@payroll/tools/local/test-server');

declare module 'vitest' {
  export interface ProvidedContext {
    /** One Postgres and one NATS for the whole run: each test file creates its own database there. */
    backends: TestBackends;
    /** Whether LONG_TESTS is set: tests run longer. */
    isLongRun: boolean;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Loaded by Node, not by vite, whose loader of set-up files has no import.meta.resolve.
  const { startTestBackends } = (await tsImport('../tools/local/test-server.ts', import.meta.url)) as TestServer;
  const running = await startTestBackends();
  project.provide('backends', running.backends);
  return async () => {
    await running[Symbol.asyncDispose]();
  };
}
