import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { backupFiles } from '@payroll/infra/docker/backups';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { repositoryRoot } from '@payroll/infra/processes';
import { findOnPath } from '@payroll/tools/local/programs';

const program = findOnPath('pgbackrest');

if (program === undefined && process.env['CI']) {
  throw new Error('Backups are tested in CI: pgBackRest 2.55 or newer must be on the PATH (apt install pgbackrest)');
}

/** For `describe.skipIf` and its title. */
export const noPgBackRest = program === undefined;
export const whyNoPgBackRest = noPgBackRest ? ', skipped: no pgbackrest on the PATH (2.55 or newer)' : '';

const KEY = 'a-key-of-the-tests';

export interface BackedUp {
  /** An existing folder that the user of Postgres may enter. */
  readonly dir: string;
  readonly dataDir: string;
  readonly adminUrl: string;
}

/**
 * infra/postgres/backups.sh with pgBackRest beside a Postgres of tools/local, as the containers of docker-compose.yml run them. Its
 * files are copies below `dir`, because the user of Postgres may not read the checkout.
 */
export class Backups {
  private constructor(
    private readonly of: BackedUp,
    private readonly user: { uid: number; gid: number },
  ) {}

  static async prepare(of: BackedUp): Promise<Backups> {
    const { uid, gid } = await stat(of.dataDir);
    const backups = new Backups(of, { uid, gid });
    await backups.copyPrograms();
    for (const dir of ['config', 'figures', 'locks', 'repository']) {
      await mkdir(backups.path(dir));
      await chown(backups.path(dir), uid, gid);
    }
    await backups.configure();
    return backups;
  }

  /** Restarts Postgres with the settings of docker-compose.yml. */
  async startArchiving(postgres: { stop(): Promise<void>; start(): Promise<void> }): Promise<void> {
    const settings = { archive_mode: 'on', archive_command: `${this.path('bin/pgbackrest')} archive-push "%p"` };
    await connected(this.of.adminUrl, async (client) => {
      for (const [name, value] of Object.entries({ ...settings, archive_timeout: '60' })) {
        await client.query(`alter system set ${name} = '${value}'`);
      }
    });
    await postgres.stop();
    await postgres.start();
  }

  path(name: string): string {
    return join(this.of.dir, 'backups', name);
  }

  /** Writes what set-up would, by default for a repository below `dir`. */
  async configure({ key = KEY, repository = this.path('repository') } = {}): Promise<void> {
    const [file] = backupFiles({ key, repository: `repo1-path=${repository}`, retentionDays: 30 });
    await writeFile(this.path('config/backups.conf'), file!.content);
  }

  /** @throws with what it printed, if it fails */
  async run(
    args: readonly string[],
    { daysAhead = 0, processors }: { daysAhead?: number; processors?: number } = {},
  ): Promise<string> {
    const { hostname, port, password } = new URL(this.of.adminUrl);
    const connection = { PGHOST: hostname, PGPORT: port, PGPASSWORD: decodeURIComponent(password) };
    const { stdout } = await promisify(execFile)(this.path('bin/backups.sh'), args, {
      ...this.user,
      cwd: this.path('.'),
      env: {
        PATH: [this.path('bin'), process.env['PATH']].join(delimiter),
        ...{ PGDATA: this.of.dataDir, FIGURES: this.path('figures') },
        ...{ ...connection, DAYS_AHEAD: String(daysAhead) },
        // nproc reads it.
        ...(processors !== undefined && { OMP_NUM_THREADS: String(processors) }),
      },
    });
    return stdout;
  }

  /** The labels of all backups, oldest first: a whole one ends with F, one of what has changed since with D. */
  async labels(): Promise<string[]> {
    const { stdout } = await promisify(execFile)(this.path('bin/pgbackrest'), ['info', '--output=json'], this.user);
    const [stanza] = JSON.parse(stdout) as { backup: { label: string }[] }[];
    return stanza!.backup.map(({ label }) => label);
  }

  /** When the newest backup ended, by the file for the exporter of metrics. */
  async newest(): Promise<Date> {
    const figures = await readFile(this.path('figures/backups.prom'), 'utf8');
    return new Date(Number(/^payroll_newest_backup_timestamp_seconds (\d+)$/m.exec(figures)![1]) * 1_000);
  }

  /** Postgres runs pgBackRest with none of our variables: the program sets them for itself. */
  private async copyPrograms(): Promise<void> {
    await mkdir(this.path('bin'), { recursive: true });
    const config = await readFile(join(repositoryRoot, 'infra/postgres/pgbackrest.conf'), 'utf8');
    const data = `pg1-path=${this.of.dataDir}\npg1-port=${new URL(this.of.adminUrl).port}`;
    await writeFile(this.path('pgbackrest.conf'), config.replace(/^pg1-path=.*$/m, data));
    await copyFile(join(repositoryRoot, 'infra/postgres/backups.sh'), this.path('bin/backups.sh'));
    await copyFile(program!, this.path('bin/unwrapped'));
    await writeFile(this.path('bin/date'), DATE, { mode: 0o755 });
    const variables = {
      PGBACKREST_CMD: this.path('bin/pgbackrest'),
      PGBACKREST_CONFIG: this.path('pgbackrest.conf'),
      PGBACKREST_CONFIG_INCLUDE_PATH: this.path('config'),
      PGBACKREST_LOCK_PATH: this.path('locks'),
      PGBACKREST_STANZA: 'payroll',
    };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
    const wrapper = ['#!/bin/sh', ...lines, `exec '${this.path('bin/unwrapped')}' "$@"`, ''].join('\n');
    await writeFile(this.path('bin/pgbackrest'), wrapper, { mode: 0o755 });
  }
}

/** Only the present is shifted, not the dates that are calculated from it. */
const DATE = `#!/bin/sh
if [ "$*" = '-u +%s' ]; then echo $(($(/bin/date +%s) + DAYS_AHEAD * 86400)); else exec /bin/date "$@"; fi
`;
