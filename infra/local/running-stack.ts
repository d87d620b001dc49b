import { join } from 'node:path';
import { repositoryRoot } from './repository-root.js';
import { readStackFile, type StackDoors, type StackFile } from './stack-file.js';

/** Where the commands that talk to a running system look for it: `STACK_DIR`, or where `npm start` keeps its data. */
export function stackDir(): string {
  return process.env['STACK_DIR'] ?? join(repositoryRoot, '.local');
}

/** Of a system that docker-compose runs there are only the doors. */
export function runningStack(): (StackDoors & Partial<StackFile>) | undefined {
  return readStackFile(join(stackDir(), 'stack.json'));
}
