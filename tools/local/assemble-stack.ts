import { controlOf, type Backends } from './backends.js';
import type { ProcessGroup } from './process-group.js';
import {
  type PortName,
  type ProcessName,
  type EnvironmentInputs,
  definitionOf,
  environmentOf,
} from '@payroll/infra/processes';
import type { DemoWorkspace, FinanceTokens, StackFile } from './stack-file.js';

/** The facts that loading demo data adds to the stack file. */
export interface DemoFacts {
  readonly workspaces: readonly DemoWorkspace[];
  readonly graphqlToken?: string;
  readonly financeTokens?: FinanceTokens;
}

export type Stack = ReturnType<typeof assembleStack>;

export interface StackParts {
  readonly surroundings: EnvironmentInputs;
  readonly backends: Backends;
  readonly group: ProcessGroup;
  readonly cleanup: AsyncDisposableStack;
  demo: DemoFacts | undefined;
}

export function assembleStack(parts: StackParts) {
  const { surroundings, backends, group, cleanup } = parts;
  const { dir, secrets, ports, database, natsUrls } = surroundings;
  const { postgres, nats } = backends;
  return {
    ...group,
    dir,
    secrets,
    ports,
    natsUrls,
    database: { ...database, adminUrl: postgres.adminUrl },
    postgres: controlOf(postgres.process),
    nats: controlOf(nats.process),
    get file(): StackFile {
      return fileOf(parts);
    },
    environmentOf: (name: ProcessName) => environmentOf(definitionOf(name), surroundings),
    abandon(): void {
      group.abandon();
      postgres.process?.abandon();
      nats.process?.abandon();
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

function fileOf({ surroundings: { ports, database, secrets }, backends, group, demo }: StackParts): StackFile {
  const local = (name: PortName, path: string): string => `http://127.0.0.1:${ports[name]}${path}`;
  return {
    app: { url: local('auth', '') },
    rest: { url: local('rest-facade', '/v1') },
    graphql: { url: local('gateway', '/graphql'), token: demo?.graphqlToken, finance: demo?.financeTokens },
    mcp: { url: local('mcp', '/mcp') },
    auth: { url: local('auth', '') },
    mail: { url: local('mail', '') },
    postgres: { url: database.ownerUrl },
    nats: { url: backends.nats.url },
    provider: { url: local('sandbox-provider', ''), key: secrets.providerKey },
    processes: group.pids(),
    workspaces: demo?.workspaces,
  };
}
