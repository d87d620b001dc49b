import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support.js';

// By address: the bootstrap is plain JavaScript without types.
const { isInstalled } = await import(new URL('../../bin/install.mjs', import.meta.url).href);
const { fingerprint } = await import(new URL('../../bin/prepare.mjs', import.meta.url).href);

type Lock = Record<string, object>;

function rootWith(wanted: Lock, present?: Lock): string {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  for (const path of Object.keys(present ?? {})) mkdirSync(join(root, path), { recursive: true });
  if (present !== undefined) {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }));
  }
  return root;
}

const a1 = { version: '1.0.0', integrity: 'sha512-a1' };
const a2 = { version: '2.0.0', integrity: 'sha512-a2' };

test.each<[string, boolean, Lock, Lock | undefined]>([
  ['what the lockfile names is there', true, { '': {}, 'node_modules/a': a1 }, { 'node_modules/a': a1 }],
  ['nothing was installed yet, or not to the end', false, { 'node_modules/a': a1 }, undefined],
  ['the lockfile has moved on', false, { 'node_modules/a': a2 }, { 'node_modules/a': a1 }],
  ['a package has been added', false, { 'node_modules/a': a1, 'node_modules/b': a2 }, { 'node_modules/a': a1 }],
  ['a package for another machine is missing', true, { 'node_modules/b': { ...a2, optional: true } }, {}],
])('knows whether npm has to install: %s', (_, expected, wanted, present) => {
  expect(isInstalled(rootWith(wanted, present))).toBe(expected);
});

test('a build is stale after a change of a source, not of a test or an output', () => {
  const root = temporaryDirectory();
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', '{ "workspaces": ["services/*", "tools"] }');
  write('tools/local/a.ts', 'one');
  const before = fingerprint(root);
  write('tools/local/a.test.ts', 'two');
  write('tools/dist/local/a.d.js', 'three');
  expect(fingerprint(root)).toBe(before);
  write('tools/local/a.ts', 'three');
  expect(fingerprint(root)).not.toBe(before);
  const page = fingerprint(root);
  write('services/workspaces/page.tsx', 'four');
  expect(fingerprint(root)).not.toBe(page);
});
