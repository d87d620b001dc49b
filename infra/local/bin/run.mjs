// The first file of the commands that a build makes: who has not built yet is told so.
import { existsSync } from 'node:fs';

const programs = {
  bench: 'bench/main',
  demo: 'demo/play',
  doctor: 'care/doctor',
  hosts: 'bench/hosts',
  keys: 'demo/keys',
  load: 'care/load',
  reconcile: 'care/reconcile',
  'rolling-restart': 'care/rolling-restart',
  screenshots: 'browser/screenshots',
  token: 'local/token',
  trace: 'sight/trace',
};

// The program's own arguments stay.
const [name] = process.argv.splice(2, 1);
const program = new URL(`../../dist/${programs[name]}.js`, import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write(`npm run ${name}: nothing is built here yet: type  npm start\n`);
  process.exitCode = 1;
}
