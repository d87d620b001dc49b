import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from './npm.mjs';
import { StepFailed, runStep } from './step.mjs';

/** Installs when what is installed is not what package-lock.json names. */
export async function installIfNeeded(root, { isVerbose }) {
  if (isInstalled(root)) return;
  const npm = npmCommand();
  await runStep({
    name: 'installing the packages',
    command: npm.command,
    args: [...npm.args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    cwd: root,
    advice: 'look at the lines above; if the network failed, run  npm start  again, else  npm ci --verbose',
    isVerbose,
    hide: /EBADENGINE|npm warn/i,
  });
  if (!isInstalled(root)) throw new StepFailed('npm ci left something out: type  npm ci --verbose');
}

/**
 * npm writes what it has installed into a lockfile of its own, at the very end: missing after an interrupted install, and
 * different when package-lock.json has moved on. Packages for other machines are optional and may be missing.
 */
export function isInstalled(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined) throw new StepFailed('package-lock.json is missing: check out the repository again');
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // The workspaces themselves are listed too; nothing is installed for them but links.
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
