import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';

/** A copy of this checkout as installed and built, without its data: hard links if the file system supports them. */
export function secondCheckout(): Disposable & { dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'payroll-checkout-'));
  const parts = readdirSync(repositoryRoot).filter((name) => !['.git', '.local', '.compose'].includes(name));
  const copy = (options: string) =>
    execFileSync('cp', [options, ...parts, dir], { cwd: repositoryRoot, stdio: 'pipe' });
  try {
    copy('-al');
  } catch {
    copy('-a');
  }
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true }) };
}
