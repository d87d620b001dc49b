import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '@payroll/runtime';
import { CONSOLE_PATHS } from '@payroll/infra/balancer/console-paths';
import { assembleStack, type DemoFacts, type Stack, type StackParts } from './assemble-stack.js';
import { bootstrapBackend, startBackends, type BackendOptions } from './backends.js';
import { startGuardian } from './guardian.js';
import { lockDirectory } from './lock.js';
import { findPort, releasePort, type PortChoice } from './ports.js';
import { createProcessGroup, migrateAll, superviseBuild, type Environment } from './process-group.js';
import { defaultPorts, processes, repositoryRoot, type PortName, type ProcessName } from '@payroll/infra/processes';
import { loadSecrets } from './secrets-file.js';
import { startMailCatcher } from './mail-catcher.js';
import { startDevProxy } from './dev-proxy.js';
import { describeStack, readStackFile, writeStackFile } from './stack-file.js';

/** Called at every start, with every process ready; it checks itself what an earlier run has loaded. */
export type SeedDemo = (stack: Stack) => Promise<DemoFacts>;

export interface StackOptions extends Omit<BackendOptions, 'secrets' | 'guardian' | 'report'> {
  /** `dir` is removed when the stack ends. */
  readonly throwAway?: boolean;
  readonly seed?: SeedDemo;
  readonly onProgress: (line: string) => void;
  /** Additional variables of a process, until it is started with others. */
  readonly env?: Readonly<Partial<Record<ProcessName, Environment>>>;
  /** Rebuilds when a source changes, and restarts the affected processes. */
  readonly watch?: boolean;
  /** Aborts the start and stops what has started. */
  readonly signal?: AbortSignal;
  /** The root of the processes' entry files; default this repository. */
  readonly root?: string;
}

/** Starts everything behind `npm start`; a failure leaves nothing running. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { root = repositoryRoot } = options;
  for (const { entry } of processes) {
    if (!existsSync(join(root, entry))) throw new StartError(`${entry} is missing: type  npm run build`);
  }
  const cleanup = new AsyncDisposableStack();
  const aborted = new Promise<never>((_, reject) => {
    options.signal?.addEventListener('abort', () => reject(new StartError('stopped while starting')), { once: true });
  });
  try {
    return await Promise.race([startParts({ ...options, root, dir: resolve(options.dir) }, cleanup), aborted]);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function startParts(options: StackOptions & { root: string }, cleanup: AsyncDisposableStack): Promise<Stack> {
  const { dir, root, onProgress } = options;
  const stackFile = join(dir, 'stack.json');
  // Other users may traverse it (Postgres runs as another user if we are root) but not list it.
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  const lock = cleanup.use(await lockDirectory(dir, () => describeStack(readStackFile(stackFile))));
  const guardian = cleanup.use(await startGuardian());
  lock.setGuardian(guardian.pid);
  guardian.removeAtEnd(options.throwAway ? dir : stackFile);
  rmSync(stackFile, { force: true });

  onProgress('Starting Postgres and NATS');
  const secrets = loadSecrets(join(dir, 'secrets.json'));
  const backends = cleanup.use(await startBackends({ ...options, secrets, guardian, report: onProgress }));
  const database = await bootstrapBackend(backends.postgres, secrets);

  onProgress('Migrating');
  await migrateAll(root, dir, database.ownerUrl, guardian);

  onProgress('Starting the processes');
  const ports = await choosePorts(options.ports);
  const surroundings = { dir, secrets, database, natsUrls: backends.nats.urls, ports };
  let publish = (): void => {};
  const context = { guardian, report: onProgress, onPid: () => publish() };
  const group = cleanup.use(createProcessGroup({ root, surroundings, context, watch: options.watch ?? false }));
  cleanup.use(await startDevProxy(ports.auth, (path) => ports[CONSOLE_PATHS.test(path) ? 'console' : 'pages']));
  cleanup.use(await startMailCatcher({ smtp: ports.smtp, page: ports.mail }));
  if (options.watch) await cleanup.use(superviseBuild(root, dir, context)).start();
  await group.startAll(options.env ?? {});
  Object.values(ports).forEach(releasePort);

  const parts: StackParts = { surroundings, backends, group, cleanup, demo: undefined };
  const stack = assembleStack(parts);
  if (options.seed !== undefined) {
    onProgress('Loading the demo data');
    parts.demo = await options.seed(stack);
  }
  publish = () => writeStackFile(stackFile, stack.file);
  publish();
  cleanup.defer(() => {
    publish = () => {};
    rmSync(stackFile, { force: true });
  });
  return stack;
}

async function choosePorts(choice: PortChoice): Promise<Record<PortName, number>> {
  const ports: [PortName, number][] = [];
  for (const [name, preferred] of defaultPorts) ports.push([name, await findPort(preferred, choice)]);
  return Object.fromEntries(ports) as Record<PortName, number>;
}

/** A system on free ports with temporary data, removed however the process ends: for tests and measurements. */
export async function startThrowAwayStack(
  purpose: string,
  seed: SeedDemo,
  onProgress: (line: string) => void = () => {},
  more: Partial<Pick<StackOptions, 'env' | 'natsUrl' | 'durable' | 'root'>> = {},
): Promise<Stack> {
  const dir = await mkdtemp(join(tmpdir(), `payroll-${purpose}-`));
  // Postgres may run as another user and must be able to traverse it.
  await chmod(dir, 0o711);
  return await startStack({ dir, ports: 'free', durable: false, throwAway: true, seed, onProgress, ...more });
}
