import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVELOPMENT_MARK } from '@payroll/runtime';
import { expect, onTestFinished, test } from 'vitest';
import {
  completeSecrets,
  readSecretFiles,
  replaceSecretFiles,
  secretsToMake,
  unreadFiles,
  writeSecretFiles,
} from './hand-out.js';

const none = new Map<string, string>();

test('secrets for development carry the mark, and those for production do not', () => {
  const { secrets, made } = completeSecrets(none, 'development');
  expect(made.get('actor-keys.review')).toBe(secrets.actorKeys.review);
  expect(made.get('database.services.rest_facade')).toBe(secrets.database.services.rest_facade);
  for (const [name, secret] of made) expect(secret, name).toContain(DEVELOPMENT_MARK);
  expect(secrets.oauthSecret).toMatch(/^[0-9a-f]{64}$/);

  const own = completeSecrets(none, 'production');
  expect([...own.made.keys()]).toEqual([...made.keys()]);
  for (const [name, secret] of own.made) expect(secret, name).not.toContain(DEVELOPMENT_MARK);
  expect(own.secrets.oauthSecret).toMatch(/^[0-9a-f]{64}$/);
});

test('uses secrets from files and generates only missing ones', () => {
  const files = new Map([
    ['nats.review', 'given'],
    ['oauth-secret', ''],
  ]);
  const { secrets, made } = completeSecrets(files, 'production');
  expect(secrets.nats.review).toBe('given');
  expect(made.has('nats.review')).toBe(false);
  expect(made.get('oauth-secret')).toBe(secrets.oauthSecret);
});

test('makes all secrets but the one that the payout provider issues', () => {
  const all = [...completeSecrets(none, 'production').made.keys()];
  expect([...secretsToMake(none).keys()]).toEqual(all.filter((name) => name !== 'provider-key'));
});

test('secret files are readable by their owner only, read back unchanged, and only a rotation overwrites a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'payroll-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const { secrets, made } = completeSecrets(none, 'production');
  writeSecretFiles(dir, made);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o400);
  expect(completeSecrets(readSecretFiles(dir), 'production')).toEqual({ secrets, made: none });
  expect(() => writeSecretFiles(dir, new Map([['oauth-secret', 'other']]))).toThrow('EEXIST');
  replaceSecretFiles(dir, new Map([['oauth-secret', 'other']]));
  expect(readSecretFiles(dir)).toEqual(new Map([...made, ['oauth-secret', 'other']]));
  expect(statSync(join(dir, 'oauth-secret')).mode & 0o777).toBe(0o400);
  writeFileSync(join(dir, 'by-hand'), 'secret\r\n');
  expect(readSecretFiles(dir).get('by-hand')).toBe('secret');
});

test('an empty file, such as a full disk leaves, is written again', () => {
  const dir = mkdtempSync(join(tmpdir(), 'payroll-secrets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'oauth-secret'), '', { mode: 0o400 });
  const { secrets, made } = completeSecrets(readSecretFiles(dir), 'production');
  writeSecretFiles(dir, made);
  expect(readSecretFiles(dir).get('oauth-secret')).toBe(secrets.oauthSecret);
});

test('names the files that nothing reads', () => {
  const { made } = completeSecrets(new Map(), 'production');
  const files = new Map([...made, ['alert-webhook', 'https://x'], ['alert-webhok', 'https://x'], ['.keep', '']]);
  expect(unreadFiles(files)).toEqual(['alert-webhok']);
});
