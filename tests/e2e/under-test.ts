import { join } from 'node:path';
import { readStackFile, type StackFile } from '@payroll/tools/local/stack-file';
import { sharedStack } from '../system/support.js';

/**
 * The system under test. `STACK_DIR` names a running one (the folder of its `stack.json`); without it, the tests use
 * the system that the whole-system tests share.
 */
export const stack = await findStack();

/** The address of `/v1`, or of a proxy in front of it. Not BASE_URL: vite sets that to `/` in tests. */
export const baseUrl = process.env['V1_URL'] ?? stack.rest.url;

async function findStack(): Promise<StackFile> {
  const dir = process.env['STACK_DIR'];
  if (dir === undefined) return (await sharedStack()).file;
  const running = readStackFile(join(dir, 'stack.json'));
  if (!running) throw new Error(`STACK_DIR: nothing runs in ${dir}; npm start keeps its stack.json in .local`);
  return running;
}
