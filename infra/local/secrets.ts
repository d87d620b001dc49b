import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';
import { DEVELOPMENT_MARK } from '@payroll/process';
import { natsUsers, type NatsPasswords, type NatsUser } from '../nats/permissions.js';
import { serviceSchemas, type DatabasePasswords, type ServiceSchema } from '../postgres/roles.js';
import { StartupError } from './startup-error.js';

export interface Secrets {
  readonly postgresPassword: string;
  readonly database: DatabasePasswords;
  readonly nats: NatsPasswords;
  /** 64 hex digits each; one per service, known to it and to workspaces only. */
  readonly actorKeys: Readonly<Record<ServiceName, string>>;
  /** 64 hex digits; signs the reviews that assistants' hosts carry. */
  readonly confirmationKey: string;
  /** 64 hex digits; opens what the authorization server keeps in Postgres. */
  readonly oauthSecret: string;
}

/** Secrets for development carry a mark, and no live deployment starts on them. */
export type Purpose = 'development' | 'production';

export function generateSecrets(purpose: Purpose = 'development'): Secrets {
  const mark = purpose === 'development' ? DEVELOPMENT_MARK : '';
  /** 64 hex digits. */
  const key = (): string => mark + randomBytes(32).toString('hex').slice(mark.length);
  /** Fit for a URL as it is. */
  const password = (): string => mark + randomBytes(24).toString('base64url');
  return {
    postgresPassword: password(),
    database: { owner: password(), services: byName(serviceSchemas, password) },
    nats: byName(natsUsers, password),
    actorKeys: byName(SERVICES, key),
    confirmationKey: key(),
    oauthSecret: key(),
  };
}

/** Made once and kept beside the data they open; what a newer version adds is added. */
export function loadSecrets(file: string): Secrets {
  const kept = readKept(file);
  const secrets = fillIn(generateSecrets(), kept) as Secrets;
  const text = `${JSON.stringify(secrets, null, 2)}\n`;
  if (JSON.stringify(kept) !== JSON.stringify(secrets)) writeFileSync(file, text, { mode: 0o600 });
  return secrets;
}

function readKept(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new StartupError(`${file} is not JSON: mend it, or remove it and the data beside it to begin anew`);
  }
}

function fillIn(fresh: unknown, kept: unknown): unknown {
  if (typeof fresh !== 'object' || fresh === null) return typeof kept === typeof fresh ? kept : fresh;
  const old = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fresh).map(([name, value]) => [name, fillIn(value, old[name])]));
}

/** Of a process, what its credentials follow from. */
export interface Holder {
  readonly name: NatsUser;
  readonly schema?: ServiceSchema;
}

/**
 * The secrets of one process, by the variables it reads: in the environment under `npm start`, in a file that no other
 * container sees under docker-compose.yml. A password is not used where the URL beside it has one.
 */
export function credentialsOf({ name, schema }: Holder, secrets: Secrets): Record<string, string> {
  return {
    NATS_PASSWORD: secrets.nats[name],
    ...(schema !== undefined && { DATABASE_PASSWORD: secrets.database.services[schema] }),
    ...(isService(name) && { ACTOR_KEY: secrets.actorKeys[name] }),
    ...ownCredentials(name, secrets),
  };
}

function ownCredentials(name: NatsUser, secrets: Secrets): Record<string, string> {
  if (name === 'mcp') return { CONFIRMATION_KEYS: secrets.confirmationKey };
  if (name !== 'workspaces') return {};
  return {
    OAUTH_SECRET: secrets.oauthSecret,
    ACTOR_KEYS: SERVICES.map((service) => `${service}=${secrets.actorKeys[service]}`).join(','),
  };
}

function isService(name: NatsUser): name is ServiceName {
  return SERVICES.some((service) => service === name);
}
