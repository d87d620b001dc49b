import fs from 'node:fs';
import { Session } from 'node:inspector';
// As a whole: Node 20, which runs the first file of `npm start`, imports this too and has not all of it.
import module from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Imported first (`--import`) by every process of a system, whatever its version. A process of ours is then started from
 * the files that tsc has written and not from its bundle, which does not say whose a function is; at each SIGUSR2 it writes
 * down which functions have been entered since the last.
 */
const { searchParams: given } = new URL(import.meta.url);
const root = given.get('root')!;
const dir = given.get('dir')!;

const entry = process.argv[1] ?? '';
if (entry === join(root, 'dist', basename(entry)) && process.argv.length === 2) {
  startUnbundled(basename(entry, '.js'));
  record();
}

function startUnbundled(name: string): void {
  const [main] = fs.globSync(`{,*/}${name}/dist/main.js`, { cwd: root });
  if (main === undefined) throw new Error(`${name} was not built: there is no ${name}/dist/main.js`);
  const bundled = pathToFileURL(entry).href;
  const url = pathToFileURL(join(root, main)).href;
  module.registerHooks({
    resolve: (specifier, context, next) => next(specifier === bundled ? url : specifier, context),
  });
}

function record(): void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.once('SIGTERM', () => session.disconnect());
  process.on('SIGUSR2', () => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      const file = join(dir, `${process.pid}.json`);
      // In one step: a reader finds all of it or nothing.
      fs.writeFileSync(`${file}.part`, JSON.stringify(taken.result.filter(({ url }) => isOwn(url))));
      fs.renameSync(`${file}.part`, file);
    });
  });
}

function isOwn(url: string): boolean {
  if (!url.startsWith('file:') || url === import.meta.url) return false;
  const [first, ...others] = relative(root, fileURLToPath(url)).split('/');
  return first !== '..' && first !== 'node_modules' && !others.includes('node_modules');
}
