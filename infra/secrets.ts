import { randomBytes } from 'node:crypto';
import { EDGES, type Edge } from '@payroll/admission';
import { recordOf, SERVICES, type ServiceName } from '@payroll/kernel';
import { DEVELOPMENT_MARK } from '@payroll/runtime';
import { serviceSchemas, type ServiceSchema } from './postgres/roles.js';

export type ProcessName = ServiceName | Edge | 'sandbox-provider';

export type Secrets = ReturnType<typeof generateSecrets>;

/** Secrets for development carry a mark, and no live deployment starts with them. */
export type Purpose = 'development' | 'production';

export function generateSecrets(purpose: Purpose = 'development') {
  const mark = purpose === 'development' ? DEVELOPMENT_MARK : '';
  const key = (): string => mark + randomBytes(32).toString('hex').slice(mark.length);
  /** Needs no escaping in a URL. */
  const password = (): string => mark + randomBytes(24).toString('base64url');
  return {
    postgresPassword: password(),
    database: { owner: password(), monitor: password(), services: recordOf(serviceSchemas, password) },
    nats: recordOf(SERVICES, password),
    /** Identifies an edge to workspaces' admission. */
    admission: recordOf(EDGES, password),
    /** One per service, known to it and to workspaces only. */
    actorKeys: recordOf(SERVICES, key),
    /** Signs the reviews that assistants' hosts carry. */
    confirmationKey: key(),
    /** Payments sends it to the payout provider; a real provider issues its own. */
    providerKey: password(),
    /** Signs the provider's callbacks to payments. */
    callbackKey: key(),
    /** The password of the SMTP server if its address has a user; issued by the server's operator. */
    smtpPassword: password(),
    /** Encrypts the authorization server's data in Postgres. */
    oauthSecret: key(),
    /** Opens the secrets of people's second factors. */
    secondFactorKey: key(),
    /** Encrypts backups and what Postgres archives. */
    backupKey: key(),
  };
}

/** The secrets of one process, by variable. A password in the URL takes precedence over the variable. */
export function credentialsOf(
  { name, schema }: { readonly name: ProcessName; readonly schema?: ServiceSchema },
  secrets: Secrets,
): Record<string, string> {
  return {
    ...(isService(name) && { NATS_PASSWORD: secrets.nats[name] }),
    ...(isEdge(name) && { ADMISSION_SECRET: secrets.admission[name] }),
    ...(schema !== undefined && { DATABASE_PASSWORD: secrets.database.services[schema] }),
    ...(isService(name) && { ACTOR_KEY: secrets.actorKeys[name] }),
    ...((name === 'payments' || name === 'sandbox-provider') && {
      PROVIDER_KEY: secrets.providerKey,
      CALLBACK_KEY: secrets.callbackKey,
    }),
    ...(name === 'mcp' && { CONFIRMATION_KEYS: secrets.confirmationKey }),
    ...(name === 'workspaces' && {
      OAUTH_SECRET: secrets.oauthSecret,
      SECOND_FACTOR_KEYS: secrets.secondFactorKey,
      SMTP_PASSWORD: secrets.smtpPassword,
      ADMISSION_SECRETS: EDGES.map((edge) => `${edge}=${secrets.admission[edge]}`).join(','),
      ACTOR_KEYS: SERVICES.map((service) => `${service}=${secrets.actorKeys[service]}`).join(','),
    }),
  };
}

function isEdge(name: ProcessName): name is Edge {
  return EDGES.some((edge) => edge === name);
}

export function isService(name: ProcessName): name is ServiceName {
  return SERVICES.some((service) => service === name);
}
