import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@payroll/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseAt, databaseSettings, tlsOf } from './database-settings.js';

const URL = 'postgres://review:secret@database:5432/payroll';

describe('the settings of a database', () => {
  const read = (pool?: string) => readSettings({ DATABASE_URL: URL, DATABASE_POOL: pool }, databaseSettings);

  it('are its URL and the number of connections per process, ten by default', () => {
    expect(read()).toMatchObject({ url: URL, poolSize: 10 });
    expect(read('2')).toMatchObject({ url: URL, poolSize: 2 });
    expect(read('1000')).toMatchObject({ url: URL, poolSize: 1_000 });
    expect(databaseAt(URL)).toEqual({ url: URL, poolSize: 10 });
  });

  // A command holds one connection while its reads may need another.
  it.each(['1', '1001', 'many'])('with a pool of %s are refused', (pool) => {
    expect(() => read(pool)).toThrow('DATABASE_POOL');
  });
});

describe('TLS to the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payroll-ca-'));
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, 'an authority');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([URL, `${URL}?sslmode=disable`])('is off unless required: %s', (url) => {
    expect(tlsOf(url)).toBe(false);
  });

  it.each(['require', 'verify-full'])('by %s accepts only verified certificates', (mode) => {
    expect(tlsOf(`${URL}?sslmode=${mode}`)).toEqual({ rejectUnauthorized: true });
    expect(tlsOf(`${URL}?sslmode=${mode}&sslrootcert=${authority}`)).toEqual({
      rejectUnauthorized: true,
      ca: 'an authority',
    });
  });

  it.each(['prefer', 'allow', 'verify-ca'])(
    'does not support %s, which would accept unverified certificates',
    (mode) => {
      expect(() => tlsOf(`${URL}?sslmode=${mode}`)).toThrow(`sslmode=${mode} is not offered; use verify-full`);
    },
  );

  it('reports a file that cannot be read', () => {
    expect(() => tlsOf(`${URL}?sslmode=require&sslrootcert=${folder}/gone.pem`)).toThrow(
      `DATABASE_CA_FILE: ${folder}/gone.pem cannot be read`,
    );
  });
});
