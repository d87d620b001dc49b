import type { BrowserContextOptions } from 'playwright-core';
import { describe, inject, type TestOptions } from 'vitest';
import { findChromium, LOOKS } from '@payroll/tools/browser/chromium';

/**
 * The looks in which long walks are repeated. All of them take minutes; a dark phone shows alone most of what is wrong in one of
 * them: too wide, too pale, out of order.
 */
export const looks: [string, BrowserContextOptions][] = inject('isLongRun')
  ? Object.entries(LOOKS)
  : [['a dark phone', { ...LOOKS.phone, colorScheme: 'dark' }]];

/**
 * Tests in the machine's Chromium. Without one they are skipped, and their title says so; in CI, where a skip would be
 * overlooked, they fail, unless `NO_BROWSER=1` says that none is expected.
 */
export function describeInChromium(title: string, options: TestOptions, tests: (executable: string) => void): void {
  const isUnwanted = Boolean(process.env['NO_BROWSER']);
  const executable = isUnwanted ? undefined : findChromium();
  const why = isUnwanted ? 'NO_BROWSER is set' : 'no Chromium on the PATH (apt install chromium-headless-shell)';
  if (executable === undefined && !isUnwanted && process.env['CI']) {
    throw new Error(`${title}: ${why}; NO_BROWSER=1 skips these tests`);
  }
  const where = executable === undefined ? `skipped: ${why}` : 'in Chromium';
  describe.skipIf(executable === undefined)(`${title}, ${where}`, options, () => {
    tests(executable!);
  });
}
