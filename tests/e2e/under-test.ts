import { join } from 'node:path';
import { readStackFile, type StackFile } from '@payroll/tools/local/stack-file';
import { sharedStack } from '../system/support.js';

/**
 * The system that these tests meet as its integrators do. `STACK_DIR` names one that runs (the folder of its
 * `stack.json`); without it, it is the one that whole-system tests share.
 */
export const stack = await findStack();

/** Of `/v1`, or of a proxy before it. Not BASE_URL: in a test vite sets that to `/`. */
export const baseUrl = process.env['V1_URL'] ?? stack.rest.url;

async function findStack(): Promise<StackFile> {
  const dir = process.env['STACK_DIR'];
  if (dir === undefined) return (await sharedStack()).file;
  const running = readStackFile(join(dir, 'stack.json'));
  if (!running) throw new Error(`STACK_DIR: nothing runs in ${dir}; npm start keeps its stack.json in .local`);
  return running;
}
