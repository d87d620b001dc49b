import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { generateSecrets } from '../secrets.js';
import { backupFiles } from './backups.js';
import { handOut, renderEnvironment } from './hand-out.js';

const secrets = generateSecrets();
const contentFor = (volume: string): string => handOut(secrets).find((file) => file.volume === volume)?.content ?? '';

/** All secrets. */
const values = (node: object): string[] =>
  Object.values(node).flatMap((value: object | string) => (typeof value === 'string' ? [value] : values(value)));

test('each process gets its own secrets and no others', () => {
  expect(parseEnv(contentFor('mcp'))).toEqual({
    ADMISSION_SECRET: secrets.admission.mcp,
    CONFIRMATION_KEYS: secrets.confirmationKey,
  });
  expect(parseEnv(contentFor('review'))).toEqual({
    NATS_PASSWORD: secrets.nats.review,
    DATABASE_PASSWORD: secrets.database.services.review,
    ACTOR_KEY: secrets.actorKeys.review,
  });
});

test('a secret is known only where it is used and where it is checked', () => {
  const holders = (secret: string): string[] =>
    [...handOut(secrets), ...backupFiles({ key: secrets.backupKey, retentionDays: 30 })].flatMap(
      ({ volume, content }) => (content.includes(secret) ? [volume] : []),
    );
  for (const secret of values(secrets)) expect(holders(secret).length).toBeLessThanOrEqual(2);
  expect(holders(secrets.backupKey)).toEqual(['postgres']);
  expect(holders(secrets.postgresPassword)).toEqual(['postgres', 'migrate']);
  expect(holders(secrets.database.owner)).toEqual(['migrate']);
  expect(holders(secrets.database.services.review)).toEqual(['migrate', 'review']);
  expect(holders(secrets.database.monitor)).toEqual(['postgres-exporter', 'migrate']);
  expect(holders(secrets.nats.review)).toEqual(['nats', 'review']);
  expect(holders(secrets.actorKeys.review)).toEqual(['workspaces', 'review']);
});

test('Node reads an environment file as it was written, and unsupported values are refused', () => {
  const variables = { A: 'p#a"s`s $x\\n', B: '', C: ' x ' };
  expect(parseEnv(renderEnvironment(variables))).toEqual(variables);
  for (const wrong of ["it's", 'two\nlines']) expect(() => renderEnvironment({ A: wrong })).toThrow('A has');
});
