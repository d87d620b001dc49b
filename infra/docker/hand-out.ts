import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processes } from '../processes.js';
import { credentialsOf, generateSecrets, type Purpose, type Secrets } from '../secrets.js';
import { renderNatsConfig } from '../nats/config.js';
import { inUse } from '../rotation.js';
import { serviceSchemas } from '../postgres/roles.js';

/** A file for one container; `volume` is where the set-up finds the volume that only that container mounts. */
export interface HandedOut {
  readonly volume: string;
  readonly file: string;
  readonly content: string;
  /** The only user who may read it. */
  readonly uid: number;
}

/** The users of the images: `node` for ours and for NATS, and `postgres`. */
const NODE_UID = 1000;
export const POSTGRES_UID = 999;
/** The user of the images of Prometheus, Alertmanager and the exporters. */
export const MONITORING_UID = 65_534;

export function handOut(secrets: Secrets): readonly HandedOut[] {
  const environment = (volume: string, variables: Readonly<Record<string, string>>): HandedOut => ({
    ...{ volume, file: 'environment', uid: NODE_UID },
    content: renderEnvironment(variables),
  });
  return [
    { volume: 'postgres', file: 'password', content: secrets.postgresPassword, uid: POSTGRES_UID },
    { volume: 'nats', file: 'nats.conf', content: natsConfig(secrets), uid: NODE_UID },
    { volume: 'postgres-exporter', file: 'password', content: inUse(secrets.database.monitor), uid: MONITORING_UID },
    environment('migrate', migrationCredentials(secrets)),
    ...processes.map((definition) => environment(definition.name, credentialsOf(definition, secrets))),
  ];
}

/** Credentials to create the roles: the superuser's password and the password of each role. */
function migrationCredentials({ postgresPassword, database }: Secrets): Record<string, string> {
  return {
    DATABASE_PASSWORD: postgresPassword,
    OWNER_PASSWORD: database.owner,
    MONITOR_PASSWORD: database.monitor,
    ROLE_PASSWORDS: serviceSchemas.map((schema) => `${schema}=${database.services[schema]}`).join(','),
  };
}

function natsConfig({ nats }: Secrets): string {
  // Reachable from its Docker network. The monitor, for the exporter and the health check, has no password: it tells who is
  // connected and to which subjects, and shows no message.
  return renderNatsConfig({
    host: '0.0.0.0',
    port: 4222,
    monitor: '0.0.0.0:8222',
    passwords: nats,
  });
}

/** As `node --env-file` reads it. */
export function renderEnvironment(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (/['\u0000-\u001f\u007f]/.test(value)) throw new RangeError(`${name} has a quote or a control character`);
    return `${name}='${value}'\n`;
  });
  return lines.join('');
}

/** Secrets as files in a directory, as orchestrators and vaults provide them: name → content. */
export type SecretFiles = ReadonlyMap<string, string>;

/** The secrets in the files; generates missing ones for the given purpose and returns them in `made`. */
export function completeSecrets(files: SecretFiles, purpose: Purpose): { secrets: Secrets; made: SecretFiles } {
  const made = new Map<string, string>();
  const complete = (fresh: object, prefix: string): object =>
    Object.fromEntries<object | string>(
      Object.entries(fresh).map(([key, value]: [string, object | string]) => {
        const name = `${prefix}${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        if (typeof value === 'object') return [key, complete(value, `${name}.`)];
        const kept = files.get(name);
        if (!kept) made.set(name, value);
        return [key, kept || value];
      }),
    );
  return { secrets: complete(generateSecrets(purpose), '') as Secrets, made };
}

/** Issued by the payout provider: one that is made up would show only once payouts fail. */
export const PROVIDER_KEY = 'provider-key';

/** The secrets that a live deployment lacks and makes itself. */
export function secretsToMake(files: SecretFiles): SecretFiles {
  const made = new Map(completeSecrets(files, 'production').made);
  made.delete(PROVIDER_KEY);
  return made;
}

/** Files that only some deployments have: where alerts are sent, and where backups are kept. */
const OPTIONAL_FILES = ['alert-heartbeat', 'alert-webhook', 'backup-repository', 'backup-sftp-key'];

/** Files that nothing reads, such as a misspelt name of an optional one. */
export function unreadFiles(files: SecretFiles): string[] {
  const known = new Set([...completeSecrets(new Map(), 'development').made.keys(), ...OPTIONAL_FILES]);
  return [...files.keys()].filter((name) => !known.has(name) && !name.startsWith('.'));
}

/** A trailing line break is not part of a secret. */
export function readSecretFiles(dir: string): SecretFiles {
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return new Map(files.map(({ name }) => [name, readFileSync(join(dir, name), 'utf8').trimEnd()]));
}

export function replaceSecretFiles(dir: string, files: SecretFiles): void {
  for (const [name, secret] of files) replaceFile(join(dir, name), `${secret}\n`);
}

/** Atomic: a container that starts at the same time reads the old content or the new one. @param uid the only user who may */
export function replaceFile(path: string, content: string, uid?: number): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o400 });
  if (uid !== undefined) chownSync(draft, uid, uid);
  renameSync(draft, path);
}

/** Never overwrites a secret. An empty file is missing, as above: a full disk may have left it. */
export function writeSecretFiles(dir: string, files: SecretFiles): void {
  for (const [name, secret] of files) {
    const path = join(dir, name);
    if (existsSync(path) && readFileSync(path, 'utf8').trimEnd() === '') rmSync(path);
    writeFileSync(path, `${secret}\n`, { mode: 0o400, flag: 'wx' });
  }
}
