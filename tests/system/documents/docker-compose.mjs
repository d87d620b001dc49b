#!/usr/bin/env -S node --
// Replaces docker-compose, so that the documents' commands run without Docker: it accepts only services and options of
// docker-compose.yml, and runs our own programs as their containers would, next to the system that a test has started.
// tests/compose/smoke.sh uses the real one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const { root, environments, ownerUrl, stackFile } = JSON.parse(readFileSync(process.env.STAND_IN, 'utf8'));
const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true, maxAliasCount: -1 });
const flags = new Set([
  '--rm',
  '-T',
  '--no-deps',
  '-d',
  '--build',
  '--force-recreate',
  '--no-recreate',
  '--no-log-prefix',
]);
const valued = new Set(['-e', '--scale', '--since', '--profile']);

/** Options, and the remaining arguments. */
function readOptions(args) {
  const values = [];
  while (args[0]?.startsWith('-')) {
    const option = args.shift();
    if (valued.has(option)) values.push([option, args.shift()]);
    else if (!flags.has(option)) fail(`there is no option ${option}`);
  }
  return values;
}

function fail(sentence) {
  process.stderr.write(`docker-compose: ${sentence}\n`);
  process.exit(1);
}

function run(args) {
  const settings = readOptions(args).filter(([option]) => option === '-e');
  const [name, ...command] = args;
  if (!(name in services)) fail(`there is no service ${name}`);
  if (name === 'demo') return void process.stdout.write(readFileSync(stackFile, 'utf8'));
  const { entrypoint = [], command: usual = [] } = services[name];
  const [node, ...rest] = [...entrypoint, ...(command.length > 0 ? command : usual)];
  if (node !== 'node') fail(`${name} runs ${node}`);
  const [program, ...more] = rest.filter((arg) => !arg.startsWith('--env-file='));
  const env = { ...process.env, ...environments[name === 'operator' ? 'workspaces' : name] };
  for (const [, setting] of settings) env[setting.split('=', 1)] = setting.slice(setting.indexOf('=') + 1);
  // Its own address, because no file here contains the superuser's password.
  if (name === 'migrate') env.DATABASE_URL = ownerUrl;
  // Commands that write into volumes or create roles are only looked up.
  const isLookedUp = name === 'set-up' || program.endsWith('/migrate.js');
  const last = isLookedUp ? [...more.slice(0, 1), '--help'] : more;
  process.exitCode = spawnSync(process.execPath, [join(root, program), ...last], { stdio: 'inherit', env }).status ?? 1;
}

const args = process.argv.slice(2);
readOptions(args);
const [command, ...rest] = args;
const known = new Set(['up', 'stop', 'ps', 'logs', 'exec', 'build']);
if (command === 'run') run(rest);
else if (!known.has(command)) fail(`there is no command ${command}`);
else {
  const scaled = readOptions(rest).flatMap(([option, value]) => (option === '--scale' ? [value.split('=', 1)[0]] : []));
  const named = command === 'exec' || command === 'logs' ? rest.slice(0, 1) : rest;
  for (const name of [...scaled, ...named]) if (!(name in services)) fail(`there is no service ${name}`);
}
