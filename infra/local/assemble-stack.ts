import type { BootstrappedDatabase } from '../postgres/bootstrap.js';
import { controlOf, type BackendControl, type Backends } from './backends.js';
import type { AnotherProcess, Environment, ProcessGroup } from './process-group.js';
import { type PortName, type ProcessName, type Surroundings, definitionOf, environmentOf } from './processes.js';
import type { Secrets } from './secrets.js';
import type { DemoWorkspace, FinanceTokens, StackFile } from './stack-file.js';

/** What loading demo data adds to the stack file. */
export interface DemoFacts {
  readonly workspaces: readonly DemoWorkspace[];
  readonly graphqlToken?: string;
  readonly financeTokens?: FinanceTokens;
}

export interface Stack extends AsyncDisposable {
  readonly dir: string;
  readonly secrets: Secrets;
  /** As in `stack.json` at this moment. */
  readonly file: StackFile;
  readonly ports: Surroundings['ports'];
  readonly database: BootstrappedDatabase & { readonly adminUrl: string };
  readonly natsUrls: Surroundings['natsUrls'];
  readonly postgres: BackendControl;
  readonly nats: BackendControl & { wipe(): Promise<void> };
  /** What this process is started with. */
  environmentOf(name: ProcessName): Record<string, string>;
  /** One more process of the same kind, on a port of its own. */
  another(name: ProcessName): Promise<AnotherProcess>;
  start(name: ProcessName, env?: Environment): Promise<void>;
  stop(name: ProcessName): Promise<void>;
  /** Resolves when it has ended; it is restarted. */
  kill(name: ProcessName, signal?: NodeJS.Signals): Promise<void>;
  ready(name: ProcessName): Promise<void>;
  /** Kills everything at once, without waiting. */
  abandon(): void;
}

/** What a running stack consists of. */
export interface StackParts {
  readonly dir: string;
  readonly surroundings: Surroundings;
  readonly backends: Backends;
  readonly group: ProcessGroup;
  readonly cleanup: AsyncDisposableStack;
  demo: DemoFacts | undefined;
}

/** One handle on all of it. */
export function assembleStack(parts: StackParts): Stack {
  const { dir, surroundings, backends, group, cleanup } = parts;
  const { secrets, ports, database, natsUrls } = surroundings;
  const { postgres, nats } = backends;
  const wipe = async (): Promise<void> => {
    if (nats.wipe === undefined) throw new Error('this NATS is not ours to wipe');
    await nats.wipe();
  };
  return {
    dir,
    secrets,
    ports,
    natsUrls,
    database: { ...database, adminUrl: postgres.adminUrl },
    postgres: controlOf(postgres.process),
    nats: Object.assign(controlOf(nats.process), { wipe }),
    get file() {
      return fileOf(parts);
    },
    environmentOf: (name) => environmentOf(definitionOf(name), surroundings),
    another: (name) => group.another(name),
    start: (name, env) => group.get(name).start(env),
    stop: (name) => group.get(name).stop(),
    kill: (name, signal) => group.get(name).kill(signal),
    ready: (name) => group.get(name).ready(),
    abandon() {
      group.abandon();
      postgres.process?.abandon();
      nats.process?.abandon();
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

function fileOf({ surroundings: { ports, database }, backends, group, demo }: StackParts): StackFile {
  const local = (name: PortName, path: string): string => `http://127.0.0.1:${ports[name]}${path}`;
  const { graphqlToken: token, financeTokens: finance } = demo ?? {};
  const tokens = { ...(token !== undefined && { token }), ...(finance !== undefined && { finance }) };
  return {
    rest: { url: local('rest-facade', '/v1') },
    graphql: { url: local('gateway', '/graphql'), ...tokens },
    mcp: { url: local('mcp', '/mcp') },
    auth: { url: local('auth', '') },
    postgres: { url: database.ownerUrl },
    nats: { url: backends.nats.url },
    processes: group.pids(),
    ...(demo === undefined ? {} : { workspaces: demo.workspaces }),
  };
}
