import { join } from 'node:path';
import { type ProcessName, type Surroundings, environmentOf, processes } from './processes.js';
import { type Supervised, type SupervisorContext, supervise } from './supervisor.js';

export type Environment = Readonly<Record<string, string>>;

export interface ProcessGroupOptions {
  readonly root: string;
  readonly dir: string;
  readonly surroundings: Surroundings;
  readonly context: SupervisorContext;
  /** Each process starts again when what it runs has been built anew. */
  readonly watch: boolean;
}

/** The system's own processes. */
export interface ProcessGroup extends AsyncDisposable {
  get(name: ProcessName): Supervised;
  pids(): Record<string, number>;
  startAll(env: Readonly<Partial<Record<ProcessName, Environment>>>): Promise<void>;
  abandon(): void;
}

export function createProcessGroup(options: ProcessGroupOptions): ProcessGroup {
  const members = new Map(processes.map((definition) => [definition.name, superviseOne(definition, options)]));
  const get = (name: ProcessName): Supervised => {
    const member = members.get(name);
    if (member === undefined) throw new RangeError(`there is no process ${name}`);
    return member;
  };
  const stopWhere = async (isEdge: boolean): Promise<void> => {
    const names = processes.filter((definition) => definition.isEdge === isEdge).map(({ name }) => name);
    await Promise.all(names.map((name) => get(name).stop()));
  };
  return {
    get,
    pids() {
      const living = [...members].flatMap(([name, { pid }]) => (pid === undefined ? [] : [[name, pid] as const]));
      return Object.fromEntries(living);
    },
    async startAll(env) {
      await Promise.all([...members].map(([name, member]) => member.start(env[name])));
    },
    abandon() {
      for (const member of members.values()) member.abandon();
    },
    async [Symbol.asyncDispose]() {
      await stopWhere(true);
      await stopWhere(false);
    },
  };
}

function superviseOne(definition: (typeof processes)[number], options: ProcessGroupOptions): Supervised {
  const { root, dir, surroundings, context, watch } = options;
  const { name, entry } = definition;
  const readyz = `http://127.0.0.1:${surroundings.ports[name]}/readyz`;
  return supervise(
    {
      name,
      command: process.execPath,
      args: [...(watch ? ['--watch', '--watch-preserve-output'] : []), join(root, entry)],
      env: environmentOf(definition, surroundings),
      cwd: root,
      logFile: join(dir, 'logs', `${name}.log`),
      isReady: () => answersOk(readyz),
    },
    context,
  );
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000), headers: { connection: 'close' } });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
