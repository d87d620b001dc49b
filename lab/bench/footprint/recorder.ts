import fs from 'node:fs';
import { Session } from 'node:inspector';
// A namespace import: Node 20, which runs the first file of `npm start`, imports this too and lacks some of the names.
import module from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Imported first (`--import`) by every process of a system, whatever its version. It starts our processes from the
 * files that tsc has written instead of the bundle, in which functions cannot be attributed to files, and at each
 * SIGUSR2 records the functions entered since the last.
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
      // Renamed in one step, so that a reader finds the whole file or none.
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
