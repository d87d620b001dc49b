import { SERVICES, type ServiceName } from '@payroll/kernel';
import type { NatsUser } from '../nats/permissions.js';
import type { ServiceSchema } from '../postgres/roles.js';
import type { Secrets } from './secrets.js';

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
