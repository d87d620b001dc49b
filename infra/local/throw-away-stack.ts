import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type SeedDemo, type Stack, type StackOptions } from './stack.js';

/** A system on free ports with data of its own, which goes with it however it ends: for tests and measurements. */
export async function startThrowAwayStack(
  purpose: string,
  seed: SeedDemo,
  onProgress: (line: string) => void = () => {},
  more: Pick<StackOptions, 'env' | 'natsUrl'> = {},
): Promise<Stack> {
  const dir = await mkdtemp(join(tmpdir(), `payroll-${purpose}-`));
  // Postgres may run as another user and has to pass through.
  await chmod(dir, 0o711);
  return await startStack({ dir, ports: 'free', durable: false, throwAway: true, seed, onProgress, ...more });
}
