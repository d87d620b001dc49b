import { join } from 'node:path';
import { recordOf } from '@payroll/kernel';
import {
  type EnvironmentInputs,
  type ProcessDefinition,
  type ProcessName,
  definitionOf,
  environmentOf,
  hostEnvironment,
  processNames,
  processes,
} from '@payroll/infra/processes';
import type { Guardian } from './guardian.js';
import { findPort, releasePort } from './ports.js';
import { type Command, runToEnd } from './run-to-end.js';
import { Supervised, type SupervisorContext } from './supervisor.js';

export type Environment = Readonly<Record<string, string>>;

interface ProcessGroupOptions {
  readonly root: string;
  readonly surroundings: EnvironmentInputs;
  readonly context: SupervisorContext;
  /** Restarts a process after it has been rebuilt. */
  readonly watch: boolean;
}

export type ProcessGroup = ReturnType<typeof createProcessGroup>;

/** The system's own processes. */
export function createProcessGroup(options: ProcessGroupOptions) {
  const members = recordOf(processNames, (name) => superviseOne(definitionOf(name), options));
  const others: Supervised[] = [];
  const stopWhere = async (isEdge: boolean): Promise<void> => {
    const stopped = processes.filter((definition) => definition.isEdge === isEdge);
    await Promise.all(stopped.map(({ name }) => members[name].stop()));
  };
  return {
    start: (name: ProcessName, env?: Environment) => members[name].start(env),
    stop: (name: ProcessName) => members[name].stop(),
    /** Resolves when it has ended; it is then restarted. */
    kill: (name: ProcessName, signal?: NodeJS.Signals) => members[name].kill(signal),
    ready: (name: ProcessName) => members[name].ready(),
    /** Starts another instance on a free port. It stops before the others, or when it is disposed of. */
    another: (name: ProcessName, env?: Environment) => startAnother(definitionOf(name), env, others, options),
    pids(): Record<string, number> {
      const living = Object.entries(members).flatMap(([name, { pid }]) =>
        pid === undefined ? [] : [[name, pid] as const],
      );
      return Object.fromEntries(living);
    },
    async startAll(env: Readonly<Partial<Record<ProcessName, Environment>>>): Promise<void> {
      await Promise.all(processNames.map((name) => members[name].start(env[name])));
    },
    /** Kills everything at once without waiting. */
    abandon(): void {
      for (const member of [...others, ...Object.values(members)]) member.abandon();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(others.map((other) => other.stop()));
      await stopWhere(true);
      await stopWhere(false);
    },
  };
}

async function startAnother(
  definition: ProcessDefinition,
  env: Environment | undefined,
  others: Supervised[],
  options: ProcessGroupOptions,
) {
  const { surroundings, context } = options;
  const { name: kind } = definition;
  const port = await findPort(0, 'free');
  const own = {
    ...options,
    surroundings: { ...surroundings, ports: { ...surroundings.ports, [kind]: port } },
    // The stack file has one process of each kind, so this one's pid is not written to it.
    context: { guardian: context.guardian, report: (line: string) => context.report(line) },
  };
  // The other processes use the first instance; the provider calls that one back.
  const first = { ...surroundings, ports: { ...surroundings.ports, callbacks: 0 } };
  const alike = { ...definition, addresses: () => definition.addresses(first) };
  const other = superviseOne(alike, own, `${kind}-${others.length + 2}`);
  others.push(other);
  await other.start(env);
  releasePort(port);
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return other.pid;
    },
    kill: (signal?: NodeJS.Signals) => other.kill(signal),
    ready: () => other.ready(),
    /** On the same port. */
    async restart(changed: Environment): Promise<void> {
      await other.stop();
      await other.start(changed);
    },
    [Symbol.asyncDispose]: () => other.stop(),
  };
}

function superviseOne(
  definition: ProcessDefinition,
  options: ProcessGroupOptions,
  as: string = definition.name,
): Supervised {
  const { root, surroundings, context, watch } = options;
  const { name, entry, watched } = definition;
  const readyz = `http://127.0.0.1:${surroundings.ports[name]}/readyz`;
  const args = watch ? ['--watch', '--watch-preserve-output', join(root, watched)] : [join(root, entry)];
  const command = nodeCommand(as, args, { root, dir: surroundings.dir, env: environmentOf(definition, surroundings) });
  return new Supervised({ ...command, isReady: () => answersOk(readyz) }, context);
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

/** The compiler in watch mode; its errors are in its log. */
export function superviseBuild(root: string, dir: string, context: SupervisorContext): Supervised {
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const args = [tsc, '-b', '--watch', '--preserveWatchOutput', 'tools/build/tsconfig.json'];
  const command = nodeCommand('build', args, { root, dir, env: hostEnvironment() });
  return new Supervised({ ...command, isReady: () => Promise.resolve(true) }, context);
}

function nodeCommand(name: string, args: string[], at: { root: string; dir: string; env: Environment }): Command {
  const logFile = join(at.dir, 'logs', `${name}.log`);
  return { name, command: process.execPath, args, env: at.env, cwd: at.root, logFile };
}

/** Runs every schema's migrations in parallel, as the owner; each touches only its own schema. */
export async function migrateAll(root: string, dir: string, ownerUrl: string, guardian: Guardian): Promise<void> {
  const env = { ...hostEnvironment(), DATABASE_URL: ownerUrl };
  const runs = processes
    .filter(({ schema }) => schema !== undefined)
    .map(({ name, entry }) => {
      const command = nodeCommand(name, [join(root, entry), 'migrate'], { root, dir, env });
      return runToEnd({ ...command, name: `the migration of ${name}` }, guardian);
    });
  // Wait for all: none may still be running when the database stops.
  await Promise.allSettled(runs);
  await Promise.all(runs);
}
