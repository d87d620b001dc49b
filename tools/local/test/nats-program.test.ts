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

test('without nats-server, prints the exact command for the operating system', () => {
  expect(missingNats(hostWith('brew'))).toContain('type  brew install nats-server  and');
  expect(missingNats(hostWith('apt-get'))).toContain('sudo apt-get update && sudo apt-get install -y nats-server  and');
  const fedora = missingNats(hostWith('dnf'));
  expect(fedora).toMatch(
    /type {2}mkdir -p ~\/\.local\/bin && curl -fsSL https:\S+ \| PREFIX=~\/\.local\/bin sh {2}and/,
  );
  expect(fedora).toContain('NATS_URL');
});

test('needs no action if nats-server is there, or if root can install it by apt-get', () => {
  expect(missingNats(hostWith('nats-server'))).toBeUndefined();
  expect(missingNats({ ...hostWith('apt-get'), isRoot: true })).toBeUndefined();
});

test('checks for nats-server before npm installs anything', async () => {
  // A folder in which npm could not install anything.
  const root = temporaryDirectory();
  await expect(prepare(root, { isVerbose: false, host: hostWith() })).rejects.toThrow(/^nats-server is missing: type/);
});
