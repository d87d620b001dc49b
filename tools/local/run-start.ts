import { join, relative } from 'node:path';
import { errorSentence, StartError } from '@payroll/runtime';
import { startMonitoring } from './watch-processes.js';
import type { StackFile } from './stack-file.js';
import { startStack, type SeedDemo } from './stack.js';

/** A terminal sends Ctrl-C to the whole process group and npm forwards it again: treat these as one Ctrl-C, not three. */
const sameKeyPressMs = 1_000;

/** The program behind `npm start`. */
export function runStart(seed?: SeedDemo): void {
  const args = process.argv.slice(2);
  const isVerbose = args.includes('--verbose') || process.env['LOG'] !== undefined;
  // A closed terminal must not prevent the orderly stop.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => fail(error, isVerbose));
  start(args, process.env, seed).then(
    () => process.exit(0),
    (error: unknown) => fail(error, isVerbose),
  );
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv, seed: SeedDemo | undefined): Promise<void> {
  const root = process.cwd();
  const dir = join(root, '.local');
  const interruption = interruptions();
  const startedAt = performance.now();
  await using monitoring = env['MONITORING'] ? await startMonitoring(root) : undefined;
  const stack = await startStack({
    root,
    dir,
    ports: 'default',
    durable: true,
    watch: args.includes('--watch'),
    ...(seed && { seed }),
    databaseUrl: env['DATABASE_URL'] || undefined,
    natsUrl: env['NATS_URL'] || undefined,
    ...(monitoring && { env: monitoring.env }),
    signal: interruption.signal,
    onProgress: console.log,
  }).catch((error: unknown) => {
    if (interruption.signal.aborted) return undefined;
    throw error;
  });
  if (stack === undefined) return;
  interruption.force(() => stack.abandon());
  console.log(greeting(stack.file, { dir, cwd: root, seconds: (performance.now() - startedAt) / 1000 }));
  if (monitoring) console.log(monitoring.greeting);
  await interruption.first;
  await stack[Symbol.asyncDispose]();
  console.log('Stopped.');
}

/** The first signal, or the end of the parent program, requests an orderly stop; the next one forces it. */
function interruptions() {
  const controller = new AbortController();
  let firstAt: number | undefined;
  let force = (): void => {};
  const first = new Promise<void>((resolve) => {
    const interrupt = (): void => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        console.log('Stopping …');
        controller.abort();
        resolve();
      } else if (performance.now() - firstAt > sameKeyPressMs) {
        force();
        process.exit(130);
      }
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
    process.once('disconnect', interrupt);
  });
  return { signal: controller.signal, first, force: (action: () => void) => void (force = action) };
}

function fail(error: unknown, isVerbose: boolean): never {
  const known = error instanceof StartError ? error.message : fileProblem(error);
  const sentence = known ?? `${errorSentence(error)} (unexpected; npm start -- --verbose shows more)`;
  process.stderr.write(`npm start: ${errorSentence(new Error(sentence))}\n`);
  if (isVerbose) console.error(error);
  process.exit(1);
}

const somebodyElses = 'it belongs to somebody else: make it yours, or remove it';
const noFolder = 'a folder has to be there: remove it';

const advice: Readonly<Record<string, string>> = {
  EACCES: somebodyElses,
  EPERM: somebodyElses,
  EROFS: 'its disk is read-only: check out the repository elsewhere',
  ENOSPC: 'its disk is full: make room',
  EEXIST: noFolder,
  ENOTDIR: noFolder,
};

/** How to fix a file or folder, usually in `.local`, that is in a wrong state; undefined for other errors. */
export function fileProblem(error: unknown): string | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return path !== undefined && code in advice ? `${path} cannot be written (${code}): ${advice[code]}` : undefined;
}

export function greeting(
  file: StackFile,
  { dir, cwd, seconds }: { dir: string; cwd: string; seconds: number },
): string {
  const folder = relative(cwd, dir) || '.';
  const rows = [
    ['REST', file.rest.url],
    ['GraphQL', file.graphql.url],
    ['MCP', file.mcp?.url],
    ['Reference', `${file.rest.url}/docs`],
    ['Explorer', new URL('/explorer/', file.graphql.url).href],
    ['Guide', file.mcp && new URL('/', file.mcp.url).href],
    ['Mail', file.mail?.url],
    ['Postgres', withoutPassword(file.postgres.url)],
    ['NATS', withoutPassword(file.nats.url)],
    ['Logs', `${folder}/logs`],
    ['Passwords', `${folder}/stack.json`],
  ].flatMap(([label = '', value]) => (value === undefined ? [] : [row(label, value)]));
  const ready = `Ready in ${seconds.toFixed(1)} s. Ctrl-C stops everything.`;
  return `\n${[ready, '', ...application(file), ...rows, ...keys(file)].join('\n')}\n`;
}

/** Prints the application's address and a person to sign in as. */
function application({ app, workspaces: [workspace] = [] }: StackFile): string[] {
  if (app === undefined) return [];
  const admin = workspace?.users?.find(({ role }) => role === 'admin');
  const who = admin && row('', `sign in as ${admin.email} with the password ${admin.password}`);
  return [row('Application', app.url), ...(who === undefined ? [] : [who]), ''];
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(11)} ${value}`;
}

function keys(file: StackFile): string[] {
  const { workspaces = [] } = file;
  const [first] = workspaces;
  if (first === undefined) return [];
  const rows = workspaces.flatMap(({ name, apiKeys }) => [
    `  ${name}`,
    ...Object.entries(apiKeys).map(([role, key]) => `    ${role.padEnd(8)} ${key}`),
  ]);
  const width = Math.max(...workspaces.flatMap(({ users = [] }) => users.map(({ email }) => email.length)));
  const people = workspaces.flatMap(({ name, users = [] }) => [
    `  ${name}`,
    ...users.map(({ email, password, role, secondFactor }) => {
      const factor = secondFactor === undefined ? '' : `  second factor ${secondFactor}`;
      return `    ${role.padEnd(8)} ${email.padEnd(width)} ${password}${factor}`;
    }),
  ]);
  const curl = `  curl -s -H 'Authorization: Bearer ${first.apiKeys.viewer}' '${file.rest.url}/contracts?limit=3'`;
  return ['', 'API keys', ...rows, '', 'People who sign in', ...people, '', 'A first request', curl];
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}
