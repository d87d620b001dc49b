import { credentialsOf } from '../local/credentials.js';
import { processes } from '../local/processes.js';
import type { Secrets } from '../local/secrets.js';
import { renderNatsConfig } from '../nats/config.js';
import { serviceSchemas } from '../postgres/roles.js';

/** A file for one container; `volume` is where the set-up finds what only that container mounts. */
export interface HandedOut {
  readonly volume: string;
  readonly file: string;
  readonly content: string;
  /** Who may read it, and nobody else. */
  readonly uid: number;
}

/** The users of the images: `node` of ours, which NATS runs as too, and `postgres`. */
export const NODE_UID = 1000;
const POSTGRES_UID = 999;

/** Every container's own secrets. */
export function handOut(secrets: Secrets): readonly HandedOut[] {
  const environment = (volume: string, variables: Readonly<Record<string, string>>): HandedOut => ({
    ...{ volume, file: 'environment', uid: NODE_UID },
    content: renderEnvironment(variables),
  });
  return [
    { volume: 'postgres', file: 'password', content: secrets.postgresPassword, uid: POSTGRES_UID },
    { volume: 'nats', file: 'nats.conf', content: natsConfig(secrets), uid: NODE_UID },
    environment('migrate', migrationCredentials(secrets)),
    ...processes.map((definition) => environment(definition.name, credentialsOf(definition, secrets))),
  ];
}

/** What makes the roles: the superuser's password, and the one of every role. */
function migrationCredentials({ postgresPassword, database }: Secrets): Record<string, string> {
  return {
    DATABASE_PASSWORD: postgresPassword,
    OWNER_PASSWORD: database.owner,
    ROLE_PASSWORDS: serviceSchemas.map((schema) => `${schema}=${database.services[schema]}`).join(','),
  };
}

function natsConfig({ nats }: Secrets): string {
  // Whoever shares a network with it comes to its door; the monitor has none, and stays inside.
  return renderNatsConfig({
    host: '0.0.0.0',
    port: 4222,
    monitor: '127.0.0.1:8222',
    storeDir: '/data',
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
