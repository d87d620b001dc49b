import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSwitch } from '@payroll/tests/support/database-switch';
import { shuffled } from '@payroll/tests/support/random';
import { Passage } from '@payroll/tests/support/tcp-proxy';
import { progress } from '@payroll/tools/cli';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { startGuardian } from '@payroll/tools/local/guardian';
import { startStack } from '@payroll/tools/local/stack';
import { type Instance, startInstances } from './instances.js';
import { prepareWorkspaces, type Tenant } from './workspaces.js';

export interface System {
  stack: Stack;
  database: DatabaseSwitch;
  instances: Instance[];
  /** The clients' proxies: two facades, the graph and the tools; and the proxy from payments to the provider. */
  proxies: { facades: Passage[]; graph: Passage; mcp: Passage; provider: Passage };
  /** Postgres' disk; null without permission to mount one. */
  disk: Disk | null;
  tenants: Tenant[];
}

interface SystemOptions {
  root: string;
  /** Submitted work items, over all workspaces. */
  items: number;
  random: () => number;
}

/** A TCP proxy stands on every connection between its processes, Postgres, NATS, the provider and the clients. */
export async function startSystem({ root, items, random }: SystemOptions, cleanup: AsyncDisposableStack) {
  const dir = await mkdtemp(join(tmpdir(), 'payroll-torture-'));
  // Postgres may run as another user and has to pass through.
  await chmod(dir, 0o711);
  cleanup.use(await startGuardian()).removeAtEnd(dir);
  const disk = Disk.mount(join(dir, 'postgres'));
  cleanup.defer(async () => {
    disk?.unmount();
    await rm(dir, { recursive: true, force: true });
  });
  const how = { ports: 'free', durable: false, seed: seedPeopleAndAssistants, onProgress: progress } as const;
  const stack = cleanup.use(await startStack({ dir, root, ...how }));
  const database = new DatabaseSwitch(stack.database.adminUrl);
  // The checker needs the order of commits. Takes effect with the restart that follows.
  await database.rows('alter system set track_commit_timestamp = on', [], 'postgres');
  await stack.postgres.stop();
  await stack.postgres.start();
  const tenants = await prepareWorkspaces(stack, stack.database.ownerUrl, items);
  progress('Putting a proxy between all processes');
  const proxyTo = async (url: string) => cleanup.use(await Passage.to(Number(new URL(url).port)));
  const { provider: providerFile, graphql, mcp } = stack.file;
  const provider = await proxyTo(providerFile.url);
  const more = { payments: { PROVIDER_URL: provider.through(providerFile.url) } };
  const { instances, facades } = await startInstances(stack, more, cleanup);
  const system: System = {
    ...{ stack, database, instances, disk },
    tenants: tenants.map((tenant) => ({ ...tenant, work: shuffled(tenant.work, random) })),
    proxies: {
      facades: await Promise.all(facades.map(proxyTo)),
      ...{ graph: await proxyTo(graphql.url), mcp: await proxyTo(mcp!.url), provider },
    },
  };
  return system;
}

/** Memory of a run's disk; allocated only as it fills. */
const SIZE_MB = 6_000;
const MB = 1_048_576;

/** A separate in-memory file system, which can be full. */
class Disk {
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

  /** Leaves so little that further writes fail. Others write at the same time, so it may take several tries. */
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
