import { progress } from '@payroll/tools/cli';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { startStack } from '@payroll/tools/local/stack';
import { DatabaseSwitch } from '@payroll/tests/support/database-switch';
import { shuffled } from '@payroll/tests/support/random';
import { Passage } from '@payroll/tests/support/tcp-proxy';
import { makePlace, nameVersion, upgrade, type Place, type Versions } from './place.js';
import { furnish, type Tenant } from './tenants.js';
import { takeOver, type Victim } from './victims.js';

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
