import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingNats } from '#nats-server';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support.js';

// By address: the bootstrap is plain JavaScript without types.
const { prepare } = await import(new URL('../../bin/prepare.mjs', import.meta.url).href);

function hostWith(...programs: string[]): { path: string; isRoot: boolean } {
  const path = temporaryDirectory();
  for (const program of programs) {
    writeFileSync(join(path, program), '');
    chmodSync(join(path, program), 0o755);
  }
  return { path, isRoot: false };
}

test('who has to install nats-server is told the exact command of the own system', () => {
  expect(missingNats(hostWith('brew'))).toContain('type  brew install nats-server  and');
  expect(missingNats(hostWith('apt-get'))).toContain('sudo apt-get update && sudo apt-get install -y nats-server  and');
  const fedora = missingNats(hostWith('dnf'));
  expect(fedora).toMatch(
    /type {2}mkdir -p ~\/\.local\/bin && curl -fsSL https:\S+ \| PREFIX=~\/\.local\/bin sh {2}and/,
  );
  expect(fedora).toContain('NATS_URL');
});

test('nothing is asked of who has it, or of root where apt-get brings it', () => {
  expect(missingNats(hostWith('nats-server'))).toBeUndefined();
  expect(missingNats({ ...hostWith('apt-get'), isRoot: true })).toBeUndefined();
});

test('it is looked for before anything is installed', async () => {
  // A folder in which npm could install nothing.
  const root = temporaryDirectory();
  await expect(prepare(root, { isVerbose: false, host: hostWith() })).rejects.toThrow(/^nats-server is missing: type/);
});
