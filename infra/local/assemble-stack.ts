import { controlOf } from './backend-control.js';
import type { Backends } from './backends.js';
import type { ProcessGroup } from './process-group.js';
import { type PortName, type Surroundings, definitionOf, environmentOf } from './processes.js';
import type { StackFile } from './stack-file.js';
import type { DemoFacts, Stack } from './stack.js';

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
