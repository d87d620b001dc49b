import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support.js';
import { loadSecrets } from '../secrets-file.js';

test('secrets are generated once, readable by their owner only, and kept', () => {
  const file = join(temporaryDirectory(), 'secrets.json');
  const first = loadSecrets(file);
  expect(loadSecrets(file)).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.actorKeys.review).toMatch(/^[0-9a-f]{64}$/);
});

test('a newer version adds missing secrets and keeps the others', () => {
  const file = join(temporaryDirectory(), 'secrets.json');
  const { nats, ...older } = loadSecrets(file);
  writeFileSync(file, JSON.stringify(older));
  const now = loadSecrets(file);
  expect(now).toMatchObject(older);
  expect(now.nats).not.toEqual(nats);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(now);
});

test('a file that is not JSON is reported in one line and left unchanged', () => {
  const file = join(temporaryDirectory(), 'secrets.json');
  writeFileSync(file, '{');
  expect(() => loadSecrets(file)).toThrow(/is not JSON/);
  expect(readFileSync(file, 'utf8')).toBe('{');
});
