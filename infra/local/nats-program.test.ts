import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './fixtures/temporary-directory.js';
import { advice } from './nats-program.js';

function hostWith(...programs: string[]): { path: string; isRoot: boolean } {
  const path = temporaryDirectory();
  for (const program of programs) {
    writeFileSync(join(path, program), '');
    chmodSync(join(path, program), 0o755);
  }
  return { path, isRoot: false };
}

test('who has to install nats-server is told the exact command of the own system', () => {
  expect(advice(hostWith('brew'))).toContain('brew install nats-server ');
  expect(advice(hostWith('apt-get'))).toContain('sudo apt-get update && sudo apt-get install -y nats-server ');
  expect(advice(hostWith())).toContain('NATS_URL');
});
