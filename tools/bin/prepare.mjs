import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { installIfNeeded } from './install.mjs';
import { missingNats, thisHost } from './nats-server.mjs';
import { npmCommand, runStep, StepFailed } from './step.mjs';

/** Prerequisites for running our code. Steps that only a person can take are reported first, before minutes are spent. */
export async function prepare(root, { isVerbose, needsBackends = true, needsBuild = true, host = thisHost() }) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new StepFailed(`Node ${process.versions.node} is too old: install Node 20 or newer`);
  }
  const missing = needsBackends ? missingNats(host) : undefined;
  if (missing !== undefined) throw new StepFailed(missing);
  await installIfNeeded(root, { isVerbose });
  if (needsBuild) await buildIfStale(root, { isVerbose });
}

const notSources = new Set(['node_modules', 'dist', 'test', 'coverage', '.local']);

export async function buildIfStale(root, { isVerbose }) {
  // Inside node_modules: a fresh install has other types and needs another build.
  const stamp = join(root, 'node_modules', '.cache', 'payroll-build');
  // Taken before the build, so that a change during the build triggers another one.
  const sources = fingerprint(root);
  if (read(stamp) === sources && outputs(root).every(existsSync)) return;
  const npm = npmCommand();
  await runStep({
    name: 'building',
    command: npm.command,
    args: [...npm.args, 'run', '--silent', 'build'],
    cwd: root,
    advice: () => 'mend the errors above and start again',
    isVerbose,
  });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, sources);
}

/** Files that the hand-over and the stack run; a missing one means that the build was cleaned. */
function outputs(root) {
  const isProcess = (folder) => existsSync(join(root, folder, 'src/main.ts'));
  const processes = sourceFolders(root)
    .flatMap((folder) => [folder, ...readdirSync(join(root, folder)).map((name) => join(folder, name))])
    .filter(isProcess);
  return [
    join(root, 'tools/dist/start.js'),
    ...processes.map((folder) => join(root, 'dist', `${basename(folder)}.js`)),
  ];
}

/** The workspaces' top-level folders: `packages`, `services`, `gateway` … */
function sourceFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces.map((pattern) => pattern.replace('/*', '')).filter((folder) => existsSync(join(root, folder)));
}

/** Names, sizes and times of everything that the build reads; contents would be more reliable, but this takes milliseconds. */
export function fingerprint(root) {
  const hash = createHash('sha256');
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      if (entry.isDirectory() && !notSources.has(entry.name)) visit(path);
      if (!entry.isFile() || !/\.(?:[cm]?tsx?|json|css)$/.test(entry.name) || entry.name.endsWith('.test.ts')) continue;
      const { size, mtimeMs } = statSync(path);
      hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
    }
  };
  for (const folder of sourceFolders(root)) visit(join(root, folder));
  const settings = ['package.json', 'tsconfig.base.json', 'tools/build/rolldown.config.js'];
  for (const file of settings) hash.update(read(join(root, file)) ?? '');
  return hash.digest('hex');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
