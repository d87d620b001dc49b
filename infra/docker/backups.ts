import { StartError, type Deployment } from '@payroll/runtime';
import { POSTGRES_UID, type HandedOut } from './hand-out.js';

export interface BackupSettings {
  /** Encrypts all that is in the repository. */
  readonly key: string;
  /** Where the repository is, as pgBackRest's own options, one a line. By default the folder that is mounted at /backups. */
  readonly repository?: string | undefined;
  /** The private key for a repository on another host. */
  readonly sftpKey?: string | undefined;
  readonly retentionDays: number;
}

/** The folder of the containers where `backups.conf` is, next to the password of Postgres. */
const SECRETS = '/run/payroll';
const SFTP_KEY = 'backup-sftp-key';

interface Place {
  readonly deployment: Deployment;
  /** `BACKUPS_DIR`: a folder, or a bare word, which is a volume. */
  readonly dir: string;
  readonly repository?: string | undefined;
  /** `host:port` */
  readonly postgres: string;
}

/** @throws StartError for a live deployment whose backups would be lost with its machine */
export function refuseVolume({ deployment, dir, repository, postgres }: Place): void {
  const isElsewhere = repository !== undefined || dir.includes('/') || postgres !== 'postgres:5432';
  if (deployment === 'test' || isElsewhere) return;
  throw new StartError(
    'DEPLOYMENT is live, but backups would be in a volume of this machine: set BACKUPS_DIR to a folder of another host, or ' +
      'write backup-repository (docs/operations.md, "Back up and restore")',
  );
}

/** The options of pgBackRest that are not in infra/postgres/pgbackrest.conf. */
export function backupFiles({ key, repository, sftpKey, retentionDays }: BackupSettings): readonly HandedOut[] {
  const options = [
    ...(repository === undefined ? ['repo1-path=/backups'] : optionsIn(repository)),
    ...(sftpKey === undefined ? [] : [`repo1-sftp-private-key-file=${SECRETS}/${SFTP_KEY}`]),
    'repo1-cipher-type=aes-256-cbc',
    `repo1-cipher-pass=${key}`,
    // Keeps the newest whole backup that is older than that, so that each moment since then can be restored.
    'repo1-retention-full-type=time',
    `repo1-retention-full=${retentionDays}`,
  ];
  const file = (name: string, content: string): HandedOut => ({
    ...{ volume: 'postgres', file: name, content, uid: POSTGRES_UID },
  });
  return [
    file('backups.conf', ['[global]', ...options, ''].join('\n')),
    ...(sftpKey === undefined ? [] : [file(SFTP_KEY, `${sftpKey}\n`)]),
  ];
}

const WHERE = /^repo1-(?:path|type|storage|s3|gcs|azure|sftp)[a-z0-9-]*=\S.*$/;

/** Values are not in the message: a line may hold an access key. */
function optionsIn(repository: string): string[] {
  const lines = repository.split(/\r?\n/).filter((line) => line !== '');
  const wrong = lines.findIndex((line) => !WHERE.test(line));
  if (wrong >= 0) {
    throw new StartError(
      `line ${wrong + 1} of backup-repository is not an option such as repo1-type=s3 that says where the repository is`,
    );
  }
  return lines;
}
