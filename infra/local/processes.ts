import { join } from 'node:path';
import type { NatsUser } from '../nats/permissions.js';
import type { BootstrappedDatabase, ServiceSchema } from '../postgres/bootstrap.js';
import { repositoryRoot } from './repository-root.js';
import type { Secrets } from './secrets.js';

/** The subgraphs; each has an actor key. */
export const serviceNames = ['workspaces', 'contracts', 'review', 'payments'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** A process is named as its NATS user. */
export type ProcessName = NatsUser;

/** Who listens: each process, and the pages of workspaces, which the public sees. */
export type PortName = ProcessName | 'auth';

/** What the environments are made of. */
export interface Surroundings {
  readonly secrets: Secrets;
  readonly ports: Readonly<Record<PortName, number>>;
  readonly database: BootstrappedDatabase;
  readonly natsUrls: Readonly<Record<NatsUser, string>>;
}

export interface ProcessDefinition {
  readonly name: ProcessName;
  /** Relative to the repository's root. */
  readonly entry: string;
  readonly defaultPort: number;
  /** Where it has tables: its schema and role; it then has a `migrate` command. */
  readonly schema?: ServiceSchema;
  /** Is asked by the outside and asks the services: stops before them. */
  readonly isEdge: boolean;
  readonly environment: (surroundings: Surroundings) => Record<string, string>;
}

/** Every process of `npm start`; the variables are those of docs/architecture.md. */
export const processes: readonly ProcessDefinition[] = [
  service('workspaces', 4011, ({ secrets: { actorKeys, oauthSecret }, ports }) => ({
    DEPLOYMENT: 'test',
    AUTH_LISTEN_HOST: '127.0.0.1',
    AUTH_LISTEN_PORT: String(ports.auth),
    AUTH_URL: `http://127.0.0.1:${ports.auth}`,
    REST_URL: `http://127.0.0.1:${ports['rest-facade']}/v1`,
    MCP_URL: `http://127.0.0.1:${ports.mcp}/mcp`,
    OAUTH_SECRET: oauthSecret,
    ACTOR_KEYS: serviceNames.map((name) => `${name}=${actorKeys[name]}`).join(','),
  })),
  service('contracts', 4012),
  service('review', 4013),
  service('payments', 4014),
  {
    name: 'gateway',
    entry: 'gateway/dist/main.js',
    defaultPort: 4001,
    isEdge: true,
    environment: (surroundings) => ({ NATS_URL: surroundings.natsUrls.gateway, ...subgraphUrls(surroundings) }),
  },
  {
    name: 'rest-facade',
    entry: 'rest-facade/dist/main.js',
    defaultPort: 4000,
    schema: 'rest_facade',
    isEdge: true,
    environment: (surroundings) => ({
      DEPLOYMENT: 'test',
      DATABASE_URL: surroundings.database.urls.rest_facade,
      NATS_URL: surroundings.natsUrls['rest-facade'],
      ...subgraphUrls(surroundings),
    }),
  },
  {
    name: 'mcp',
    entry: 'mcp/dist/main.js',
    defaultPort: 4003,
    isEdge: true,
    environment: ({ secrets, natsUrls, ports }) => ({
      NATS_URL: natsUrls.mcp,
      REST_URL: `http://127.0.0.1:${ports['rest-facade']}/v1`,
      AUTH_URL: `http://127.0.0.1:${ports.auth}`,
      MCP_URL: `http://127.0.0.1:${ports.mcp}/mcp`,
      CONFIRMATION_KEYS: secrets.confirmationKey,
    }),
  },
];

/** Where each listens if nobody else does. */
export const defaultPorts: readonly (readonly [PortName, number])[] = [
  ...processes.map(({ name, defaultPort }) => [name, defaultPort] as const),
  ['auth', 4002],
];

function service(
  name: ServiceName,
  defaultPort: number,
  more: ProcessDefinition['environment'] = () => ({}),
): ProcessDefinition {
  return {
    name,
    entry: `services/${name}/dist/main.js`,
    defaultPort,
    schema: name,
    isEdge: false,
    environment: (surroundings) => ({
      DATABASE_URL: surroundings.database.urls[name],
      NATS_URL: surroundings.natsUrls[name],
      ACTOR_KEY: surroundings.secrets.actorKeys[name],
      ...more(surroundings),
    }),
  };
}

function subgraphUrls({ ports }: Surroundings): Record<string, string> {
  const urls = serviceNames.map(
    (name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name]}/graphql`] as const,
  );
  return Object.fromEntries(urls);
}

/** All that a process gets: its own variables, and of ours only what has nothing to do with the system's secrets. */
export function environmentOf(definition: ProcessDefinition, surroundings: Surroundings): Record<string, string> {
  return {
    // Libraries check themselves at length without (docs/adr/0010); whoever wants that sets it.
    NODE_ENV: 'production',
    ...hostEnvironment(),
    LISTEN_HOST: '127.0.0.1',
    LISTEN_PORT: String(surroundings.ports[definition.name]),
    ...definition.environment(surroundings),
  };
}

const passedOn = /^(?:PATH|HOME|TMPDIR|LANG|LC_ALL|TZ|NODE_ENV|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|LOG_LEVEL|OTEL_.+)$/;

export function hostEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name, value]) => passedOn.test(name) && value !== undefined);
  // Compiling what a process imports is a third of its start, and every process imports much the same.
  return { NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules/.cache/node'), ...Object.fromEntries(entries) };
}
