import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';

const sdk = join(repositoryRoot, 'packages/sdk');
const modules = join(repositoryRoot, 'node_modules');

/** A separate folder of an integrator, in which the SDK is installed as published. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'payroll-sdk-'));

  constructor() {
    const npm = (cwd: string, ...args: string[]): string =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [packed] = JSON.parse(npm(sdk, 'pack', '--json', '--pack-destination', this.path)) as { filename: string }[];
    this.write('package.json', '{ "type": "module" }');
    npm(this.path, 'install', '--offline', '--no-audit', '--no-fund', `./${packed!.filename}`);
  }

  get files(): string[] {
    const list = execFileSync('find', ['node_modules/@payroll/sdk', '-type', 'f'], {
      cwd: this.path,
      encoding: 'utf8',
    });
    return list.trim().split('\n');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** Writes one of the examples, and installs the libraries that it needs. */
  example(name: string, ...libraries: string[]): void {
    this.write(name, readFileSync(join(sdk, 'examples', name), 'utf8'));
    for (const library of libraries) symlinkSync(join(modules, library), join(this.path, 'node_modules', library));
  }

  async node(
    env: Record<string, string>,
    ...args: string[]
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const options = { cwd: this.path, env: { PATH: process.env['PATH'], ...env } };
    const ended = promisify(execFile)(process.execPath, args, options);
    return await ended.then(
      (said) => ({ code: 0, ...said }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
  }

  /** The compiler's errors about a file; empty if there are none. */
  typeErrorsIn(file: string): string {
    const flags =
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --lib es2022,dom --types'.split(
        ' ',
      );
    try {
      execFileSync(join(modules, '.bin/tsc'), [...flags, '', file], { cwd: this.path, encoding: 'utf8' });
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

/** The first program of the SDK's README. */
export const quickStart = (): string => /```js\n([^]*?)```/.exec(readFileSync(join(sdk, 'README.md'), 'utf8'))![1]!;
