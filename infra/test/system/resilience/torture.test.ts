import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../../local/processes.js';

/** `npm run torture` is the long form. */
it('a system that was tortured has paid every approval once, and told everybody the truth', async () => {
  const command = ['infra/local/bin/run.mjs', 'torture', '--seed', '1', '--minutes', '0.4'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: repositoryRoot }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toMatch(/^ok {5}seed 1: \d+ approvals/);
}, 600_000);
