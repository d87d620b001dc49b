import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const help = `npm run build

Compiles every workspace into its dist/, and of each process makes the one file in dist/ that is deployed (ADR 27).
npm start and npm test do this by themselves where a source has changed.
`;

const [first] = process.argv.slice(2);
if (first === '--help' || first === '-h') process.stdout.write(help);
else if (first !== undefined) fail(`there is no option "${first}"; try --help`);
else build();

function build() {
  const steps = [
    ['tsc', '-b', 'tools/build/tsconfig.json'],
    ['rolldown', '--config', 'tools/build/rolldown.config.js'],
  ];
  for (const [program, ...args] of steps) {
    const path = join(root, 'node_modules/.bin', program);
    const { status, error, stdout } = spawnSync(path, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (error) return fail(`${program} cannot be run (${error.message}): type  npm install`);
    if (status === 0) continue;
    process.stdout.write(stdout);
    return fail(`${program} says what is wrong above`);
  }
}

function fail(sentence) {
  process.stderr.write(`npm run build: ${sentence}\n`);
  process.exitCode = 1;
}
