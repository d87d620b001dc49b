import { expect, test } from 'vitest';
import { backupFiles, refuseVolume } from './backups.js';

const settings = { key: 'a-key', retentionDays: 14 };
const textOf = (more: Partial<Parameters<typeof backupFiles>[0]> = {}): string =>
  backupFiles({ ...settings, ...more })[0]!.content;

test('backups are encrypted, in the mounted folder, and kept for the days that are set', () => {
  const lines = textOf().split('\n');
  expect(lines[0]).toBe('[global]');
  expect(lines).toEqual(
    expect.arrayContaining([
      'repo1-path=/backups',
      'repo1-cipher-type=aes-256-cbc',
      'repo1-cipher-pass=a-key',
      'repo1-retention-full-type=time',
      'repo1-retention-full=14',
    ]),
  );
});

test("an object store or another host is set by pgBackRest's own options, and encrypted as well", () => {
  const store = 'repo1-type=s3\r\nrepo1-s3-bucket=payroll\n\nrepo1-s3-key-secret=s3cret\nrepo1-path=/eu1';
  const lines = textOf({ repository: store }).split('\n');
  expect(lines).toEqual(expect.arrayContaining(['repo1-type=s3', 'repo1-s3-key-secret=s3cret', 'repo1-path=/eu1']));
  expect(lines).toContain('repo1-cipher-pass=a-key');
  expect(lines).not.toContain('repo1-path=/backups');

  const [file, key] = backupFiles({ ...settings, repository: 'repo1-type=sftp', sftpKey: '-----BEGIN' });
  expect(file!.content).toContain('repo1-sftp-private-key-file=/run/payroll/backup-sftp-key\n');
  expect(key).toMatchObject({ volume: 'postgres', file: 'backup-sftp-key', content: '-----BEGIN\n' });
});

test.each(['repo1-cipher-type=none', 'repo1-retention-full=1', 's3://bucket', 'repo1-s3-key=', '[payroll]'])(
  'refuses the option %s in backup-repository, and does not repeat its value',
  (line) => {
    const refused = () => textOf({ repository: `repo1-type=s3\n${line}` });
    expect(refused).toThrow('line 2 of backup-repository is not an option');
    expect(refused).not.toThrow(line);
  },
);

test('a live deployment is refused if its backups would be in a volume of its machine', () => {
  const volume = { deployment: 'live', dir: 'backups', postgres: 'postgres:5432' } as const;
  expect(() => refuseVolume(volume)).toThrow('backups would be in a volume of this machine');
  expect(() => refuseVolume({ ...volume, deployment: 'test' })).not.toThrow();
  expect(() => refuseVolume({ ...volume, dir: '/mnt/backups' })).not.toThrow();
  expect(() => refuseVolume({ ...volume, repository: 'repo1-type=s3' })).not.toThrow();
  // Its provider makes the backups.
  expect(() => refuseVolume({ ...volume, postgres: 'db.example:5432' })).not.toThrow();
});
