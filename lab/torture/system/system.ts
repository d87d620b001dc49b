import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { progress } from '@payroll/tools/cli';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { startStack } from '@payroll/tools/local/stack';
import { DatabaseSwitch } from '@payroll/tests/support/database-switch';
import { shuffled } from '@payroll/tests/support/random';
import { Passage } from '@payroll/tests/support/tcp-proxy';
import { type Guardian, startGuardian } from '@payroll/tools/local/guardian';
import { migrateAll } from '@payroll/tools/local/process-group';
import { type Tenant, furnish } from './workspaces.js';
import { type Victim, replace, takeOver } from './instances.js';

export interface Stage {
  stack: Stack;
  database: DatabaseSwitch;
  victims: Victim[];
  /** The clients' proxies: two facades, the graph and the tools; and the proxy from payments to the provider. */
  ways: { facades: Passage[]; graph: Passage; mcp: Passage; provider: Passage };
  disk: Place['disk'];
  tenants: Tenant[];
  /** The address at which the payout provider lists its orders. */
  provider: StackFile['provider'];
  /** Does nothing unless the run began with an earlier version. */
  upgrade: () => Promise<void>;
}

interface StageOptions extends Versions {
  /** Pieces of submitted work, over all workspaces. */
  pieces: number;
  random: () => number;
}

export async function setStage(options: StageOptions, cleanup: AsyncDisposableStack): Promise<Stage> {
  const place = await makePlace(cleanup);
  const { dir, disk } = place;
  const root = await nameVersion(options, place);
  const how = { ports: 'free', durable: false, seed: seedPeopleAndAssistants, onProgress: progress } as const;
  const stack = cleanup.use(await startStack({ dir, root, ...how }));
  const database = new DatabaseSwitch(stack.database.adminUrl);
  // The checker needs the order of commits. Takes effect with the restart that follows.
  await database.rows('alter system set track_commit_timestamp = on', [], 'postgres');
  await stack.postgres.stop();
  await stack.postgres.start();
  const tenants = await furnish(stack, stack.database.ownerUrl, options.pieces);
  progress('Putting a way between all processes');
  const toProvider = await wayTo(stack.file.provider.url, cleanup);
  const { victims, facades } = await takeOver(
    stack,
    { payments: { PROVIDER_URL: toProvider.through(stack.file.provider.url) } },
    cleanup,
  );
  return {
    ...{ stack, victims, disk },
    tenants: tenants.map((tenant) => ({ ...tenant, work: shuffled(tenant.work, options.random) })),
    ways: {
      facades: await Promise.all(facades.map((url) => wayTo(url, cleanup))),
      graph: await wayTo(stack.file.graphql.url, cleanup),
      mcp: await wayTo(stack.file.mcp!.url, cleanup),
      provider: toProvider,
    },
    database,
    provider: stack.file.provider,
    upgrade: async () => {
      if (options.earlier !== undefined) await upgrade(options, place, stack, victims);
    },
  };
}

async function wayTo(url: string, cleanup: AsyncDisposableStack): Promise<Passage> {
  return cleanup.use(await Passage.to(Number(new URL(url).port)));
}

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

/** Memory of a run's disk; allocated only as it fills. */
const SIZE_MB = 6_000;
const MB = 1_048_576;

/** A separate in-memory file system, which can be full. */
export class Disk {
  private constructor(private readonly path: string) {}

  /** Null without permission to mount: Linux requires root. */
  static mount(path: string): Disk | null {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'torture', path], { stdio: 'ignore' });
      return new Disk(path);
    } catch {
      return null;
    }
  }

  /**
   * Fills the disk except for `leftMb`, so that further writes fail. Others write at the same time, so it may take
   * several tries.
   */
  fill(leftMb: number, tries = 20): void {
    const { bsize, blocks, bfree } = statfsSync(this.path);
    try {
      this.resize(Math.ceil(((blocks - bfree) * bsize) / MB) + leftMb);
    } catch (error) {
      if (tries === 0) throw error;
      this.fill(leftMb, tries - 1);
    }
  }

  free(): void {
    this.resize(SIZE_MB);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path], { stdio: 'ignore' });
  }

  private resize(mb: number): void {
    execFileSync('mount', ['-o', `remount,size=${mb}m`, this.path], { stdio: 'ignore' });
  }
}
