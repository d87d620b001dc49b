import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, runStep, StepFailed } from './step.mjs';

const notInSync = /can only install packages when your package.json and package-lock.json/;
/** Warnings, and the help that npm prints below some errors. */
const noise =
  /EBADENGINE|^npm warn|^npm error(?:$| {2,}-| {4,}| (?:Clean install|Usage:|Options:|\[|aliases:|Run "npm help|npm ci$|A complete log))/i;

export async function installIfNeeded(root, { isVerbose }) {
  if (isInstalled(root)) return;
  const npm = npmCommand();
  const install = (command, more) =>
    runStep({
      name: 'installing the packages',
      command: npm.command,
      args: [...npm.args, ...command.split(' '), '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      cwd: root,
      isVerbose,
      hide: noise,
      advice,
      ...more,
    });
  // npm's versions disagree over other machines' packages in a lockfile: `npm ci` then refuses, `npm install` does not.
  const isDone = await install('ci', { giveUp: (output) => !notInSync.test(output) });
  if (!isDone) await install('install --no-save', {});
  if (!isInstalled(root)) throw new StepFailed('npm has left something out: type  npm ci --verbose');
}

function advice(output) {
  if (/EACCES|EPERM/.test(output)) return 'node_modules belongs to somebody else: remove it and start again';
  if (/ENOSPC/.test(output)) return 'the disk is full: make room and start again';
  return 'the lines above say why; if it was the network, start again';
}

/** npm writes its own lockfile at the very end: it is missing after an interrupted install, different after an update. */
export function isInstalled(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) throw new StepFailed('package-lock.json is missing: check out the repository again');
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // The list includes the workspaces.
    if (!path.includes('node_modules/')) return true;
    const found = present[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    const isSame = found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link;
    return isSame && existsSync(join(root, path));
  });
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
