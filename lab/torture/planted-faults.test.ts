import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '@payroll/infra/processes';
import { faultNames } from './system/other-build.js';

it('there are thirteen faults to plant', () => {
  expect(faultNames).toHaveLength(13);
});

it.each(faultNames)('the patch of the fault %s still applies', (name) => {
  const patch = join('lab/torture/planted-faults', `${name}.patch`);
  expect(() => execFileSync('git', ['apply', '--check', patch], { cwd: repositoryRoot, stdio: 'pipe' })).not.toThrow();
});
