// Finds nats-server, or the command to install it. Plain JavaScript, because it runs before anything is installed.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Folders in which distributions and people install it, although a PATH may lack them. */
const usualPlaces = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  join(homedir(), '.local/bin'),
];

export function thisHost() {
  return { path: process.env.PATH ?? '', isRoot: process.getuid?.() === 0, places: usualPlaces };
}

export function findProgram(program, { path, places = [] }) {
  const folders = [...path.split(delimiter).filter(Boolean), ...(program === 'nats-server' ? places : [])];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** The message for a person who has to install it; undefined if it is installed or `npm start` may install it. */
export function missingNats(host = thisHost()) {
  if (process.env.NATS_URL || findProgram('nats-server', host) !== undefined) return undefined;
  if (host.isRoot && findProgram('apt-get', host) !== undefined) return undefined;
  return `nats-server is missing: type  ${commandFor(host)}  and start again (or set NATS_URL to a server that runs)`;
}

/** For the system's package manager, or as https://docs.nats.io says for all others. */
function commandFor(host) {
  if (findProgram('brew', host) !== undefined) return 'brew install nats-server';
  if (findProgram('apt-get', host) !== undefined && !host.isRoot) {
    return 'sudo apt-get update && sudo apt-get install -y nats-server';
  }
  const script = 'https://binaries.nats.dev/nats-io/nats-server/v2@latest';
  return `mkdir -p ~/.local/bin && curl -fsSL ${script} | PREFIX=~/.local/bin sh`;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
