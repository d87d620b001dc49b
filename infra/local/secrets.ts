import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';
import { DEVELOPMENT_MARK } from '@payroll/process';
import { natsUsers } from '../nats/permissions.js';
import type { NatsPasswords } from '../nats/permissions.js';
import { type DatabasePasswords, serviceSchemas } from '../postgres/roles.js';
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
