import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { startGuardian, type Guardian } from '@payroll/tools/local/guardian';
import { migrateAll } from '@payroll/tools/local/process-group';
import { Disk } from './disks.js';
import { replace, type Victim } from './victims.js';

/** The folder of a run's data. */
export interface Place {
  dir: string;
  guardian: Guardian;
  /** Postgres' disk; null without permission to mount one. */
  disk: Disk | null;
}

export async function makePlace(cleanup: AsyncDisposableStack): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), 'payroll-torture-'));
  // Postgres may run as another user and has to pass through.
  await chmod(dir, 0o711);
  const guardian = cleanup.use(await startGuardian());
  guardian.removeAtEnd(dir);
  const disk = Disk.mount(join(dir, 'postgres'));
  cleanup.defer(async () => {
    disk?.unmount();
    await rm(dir, { recursive: true, force: true });
  });
  return { dir, guardian, disk };
}

/** Two builds of our processes. */
export interface Versions {
  root: string;
  /** The version at the start, if it is another one. */
  earlier: string | undefined;
}

/** A symbolic link to the version that processes start from, which can be switched to the other. */
export async function nameVersion({ root, earlier }: Versions, { dir }: Place): Promise<string> {
  if (earlier === undefined) return root;
  const name = join(dir, 'version');
  await symlink(earlier, name);
  return name;
}

/** Migrates, and replaces one process after the other. */
export async function upgrade(
  { root }: Versions,
  { dir, guardian }: Place,
  stack: Stack,
  victims: Victim[],
): Promise<void> {
  await migrateAll(root, dir, stack.database.ownerUrl, guardian);
  await rm(join(dir, 'version'));
  await symlink(root, join(dir, 'version'));
  for (const victim of victims) {
    await replace(victim);
    // During faults this may take until everything is healed.
    await victim.ready().catch(() => undefined);
  }
}
