import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_PORTS, SERVICES, type ServiceName } from '@payroll/kernel';
import type { BootstrappedDatabase } from './postgres/bootstrap.js';
import type { ServiceSchema } from './postgres/roles.js';
import { credentialsOf, isService, type ProcessName, type Secrets } from './secrets.js';

/** The root of this repository, both for sources (in tests) and for built files. */
export const repositoryRoot = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../..' : '..', import.meta.url),
);

export type { ProcessName } from './secrets.js';

/**
 * Ports: one for each process; the splitter, which serves all pages to people (`auth`), and the pages of workspaces
 * behind it; admission, which workspaces serves to edges; callbacks, which payments serves to its provider; the mail
 * catcher (`smtp`) and its page (`mail`).
 */
export type PortName = ProcessName | 'auth' | 'pages' | 'admission' | 'callbacks' | 'smtp' | 'mail';

/** The input of a process's environment. */
export interface EnvironmentInputs {
  /** Directory for the stack's data. */
  readonly dir: string;
  readonly secrets: Secrets;
  readonly ports: Readonly<Record<PortName, number>>;
  readonly database: BootstrappedDatabase;
  readonly natsUrls: Readonly<Record<ServiceName, string>>;
}

export interface ProcessDefinition {
  readonly name: ProcessName;
  /** The program to run; relative to the repository's root, like all paths here. */
  readonly entry: string;
  /** The unbundled program: with one file per module, a change restarts only the processes that import it. */
  readonly watched: string;
  readonly defaultPort: number;
  /** For a process with tables: its schema and role; it then has a `migrate` command. */
  readonly schema?: ServiceSchema;
  /** Serves requests from outside and calls the services, so it stops before them. */
  readonly isEdge: boolean;
  /** Its own addresses and those of the processes it calls; their credentials are in `secrets.ts`. */
  readonly addresses: (surroundings: EnvironmentInputs) => Record<string, string>;
}

/** Addresses of services that other processes than the edges call, or that call others. */
const addressesOf: Partial<Record<ServiceName, ProcessDefinition['addresses']>> = {
  workspaces: pageAddresses,
  payments: providerAddresses,
};

/** Every process of `npm start`; the variables are those of docs/settings.md. */
export const processes: readonly ProcessDefinition[] = [
  ...SERVICES.map((name): ProcessDefinition => ({
    ...entries(name, `services/${name}`),
    defaultPort: SERVICE_PORTS[name],
    schema: name,
    isEdge: false,
    addresses: addressesOf[name] ?? (() => ({})),
  })),
  edge('gateway', 4001, (of) => ({ ...subgraphUrls(of), EXPLORER_STACK: join(of.dir, 'stack.json') })),
  {
    ...edge('rest-facade', 4000, (of) => ({ ...subgraphUrls(of), MCP_URL: publicUrls(of).MCP_URL })),
    schema: 'rest_facade',
  },
  edge('mcp', 4003, (of) => ({
    ...publicUrls(of),
    GUIDE_URL: `${publicUrls(of).REST_URL}/docs/guides/connect-an-assistant`,
  })),
  edge('console', 4006, (of) => ({ ...subgraphUrls(of), APP_URL: authUrl(of), ...BEHIND_SPLITTER })),
  {
    ...entries('sandbox-provider', 'sandbox-provider'),
    defaultPort: 4020,
    isEdge: false,
    addresses: (of) => ({ ...callbackUrl(of), ORDERS_FILE: join(of.dir, 'provider-orders.sqlite') }),
  },
];

export const processNames: readonly ProcessName[] = processes.map(({ name }) => name);

function edge(name: ProcessName, defaultPort: number, addresses: ProcessDefinition['addresses']): ProcessDefinition {
  return { ...entries(name, name), defaultPort, isEdge: true, addresses };
}

export function definitionOf(name: ProcessName): ProcessDefinition {
  const definition = processes.find((each) => each.name === name);
  if (definition === undefined) throw new RangeError(`there is no process ${name}`);
  return definition;
}

export const defaultPorts: readonly (readonly [PortName, number])[] = [
  ...processes.map(({ name, defaultPort }) => [name, defaultPort] as const),
  ['auth', 4002],
  ['admission', 4010],
  ['callbacks', 4005],
  ['pages', 4007],
  ['mail', 4008],
  ['smtp', 4025],
];

function entries(name: ProcessName, folder: string): Pick<ProcessDefinition, 'name' | 'entry' | 'watched'> {
  return { name, entry: `dist/${name}.js`, watched: `${folder}/dist/main.js` };
}

/** The contents and addresses of the pages of workspaces. */
function pageAddresses(surroundings: EnvironmentInputs): Record<string, string> {
  const { ports } = surroundings;
  const listen = {
    AUTH_LISTEN_HOST: '127.0.0.1',
    AUTH_LISTEN_PORT: String(ports.pages),
    ADMISSION_LISTEN_HOST: '127.0.0.1',
    ADMISSION_LISTEN_PORT: String(ports.admission),
  };
  const mail = { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`, MAIL_FROM: 'Payroll <payroll@localhost>' };
  return { ...listen, ...publicUrls(surroundings), ...mail, ...BEHIND_SPLITTER };
}

/** The splitter, in place of the balancer, forwards the caller's address. */
const BEHIND_SPLITTER = { TRUSTED_PROXIES: '127.0.0.1' };

/** The provider's address, and the address for its callbacks. */
function providerAddresses(surroundings: EnvironmentInputs): Record<string, string> {
  const { ports } = surroundings;
  const listen = { CALLBACK_LISTEN_HOST: '127.0.0.1', CALLBACK_LISTEN_PORT: String(ports.callbacks) };
  return { PROVIDER_URL: `http://127.0.0.1:${ports['sandbox-provider']}`, ...listen, ...callbackUrl(surroundings) };
}

function callbackUrl({ ports }: EnvironmentInputs): Record<string, string> {
  return { CALLBACK_URL: `http://127.0.0.1:${ports.callbacks}/payouts/callbacks` };
}

function publicUrls(surroundings: EnvironmentInputs): Record<'APP_URL' | 'REST_URL' | 'MCP_URL', string> {
  const { ports } = surroundings;
  return {
    APP_URL: authUrl(surroundings),
    REST_URL: `http://127.0.0.1:${ports['rest-facade']}/v1`,
    MCP_URL: `http://127.0.0.1:${ports.mcp}/mcp`,
  };
}

/** The address at which people sign in and find all pages. */
function authUrl({ ports }: EnvironmentInputs): string {
  return `http://127.0.0.1:${ports.auth}`;
}

function subgraphUrls({ ports }: EnvironmentInputs): Record<string, string> {
  const urlOf = (name: ServiceName): string => `http://127.0.0.1:${ports[name]}/graphql`;
  return Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)]));
}

export function environmentOf(definition: ProcessDefinition, surroundings: EnvironmentInputs): Record<string, string> {
  const { name, schema, isEdge, addresses } = definition;
  const { secrets, ports, database, natsUrls } = surroundings;
  return {
    // Without it libraries run expensive self-checks (docs/adr/07); it may be overridden.
    NODE_ENV: 'production',
    ...hostEnvironment(),
    DEPLOYMENT: 'test',
    LISTEN_HOST: '127.0.0.1',
    LISTEN_PORT: String(ports[name]),
    ...(isService(name) && { NATS_URL: natsUrls[name] }),
    ...(isEdge && { ADMISSION_URL: `http://127.0.0.1:${ports.admission}` }),
    ...(schema !== undefined && { DATABASE_URL: database.urls[schema] }),
    ...addresses(surroundings),
    ...credentialsOf(definition, secrets),
  };
}

/** Variables without any of the system's secrets. */
const passedOn =
  /^(?:PATH|HOME|TMPDIR|LANG|LC_ALL|TZ|NODE_ENV|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|LOG_LEVEL|RESPONSE_CHECK_RATIO|OTEL_.+)$/;

export function hostEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name, value]) => passedOn.test(name) && value !== undefined);
  // Caches compiled imports, which would otherwise be compiled at every start.
  return { NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules/.cache/node'), ...Object.fromEntries(entries) };
}
