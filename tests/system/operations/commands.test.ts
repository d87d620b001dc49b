import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { processes, repositoryRoot } from '@payroll/infra/processes';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const shellScripts = globSync('{infra,tests}/**/*.sh', { cwd: repositoryRoot, exclude: ['**/node_modules/**'] })
  // Files that are only sourced are not executable.
  .filter((file) => (statSync(join(repositoryRoot, file)).mode & 0o100) !== 0);
const programs = [
  ...processes.map(({ entry }) => entry),
  ...['set-up', 'migrate', 'isolation'].map((name) => `infra/dist/docker/${name}.js`),
  'tools/dist/demo/in-compose.js',
];

const place = mkdtempSync(join(tmpdir(), 'payroll-commands-'));
const touched = join(place, 'touched');
/** Programs that a command without effect never calls; each leaves a trace. */
const traps = join(place, 'bin');
mkdirSync(traps);
for (const name of ['docker', 'docker-compose', 'apt-get', 'npm', 'npx', 'nats-server']) {
  writeFileSync(join(traps, name), `#!/bin/sh\necho ${name} >>${touched}\nexit 1\n`, { mode: 0o755 });
}
afterAll(() => rmSync(place, { recursive: true }));

interface Said {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command as npm does, in an environment without a running system. */
async function run(command: string, env: Record<string, string> = {}): Promise<Said> {
  const path = [traps, join(repositoryRoot, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const child = spawn('sh', ['-c', command], {
    cwd: repositoryRoot,
    env: { PATH: path, HOME: place, STACK_DIR: join(place, 'none'), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

async function expectHelp(command: string): Promise<void> {
  const { code, out, err } = await run(command);
  expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
  expect(out.trim().split('\n').length, command).toBeGreaterThan(1);
  expect(existsSync(touched) ? readFileSync(touched, 'utf8') : '', command).toBe('');
}

function expectSentence(command: string, { code, out, err }: Said): void {
  expect({ command, code, out }).toEqual({ command, code: 1, out: '' });
  expect(err, command).toMatch(/^\S.{15,}\n$/);
  expect(err, command).not.toMatch(/^\s+at |\bError:|node:internal/m);
}

describe.concurrent('--help prints what a command does, and does nothing else', () => {
  it.each(Object.keys(scripts))('npm run %s', async (name) => {
    await expectHelp(`${scripts[name]} --help`);
  });

  it.each(shellScripts)('%s', async (file) => {
    await expectHelp(`${file} --help`);
  });

  // packages/runtime tests --help of every workspaces command.
  it.each(programs)('%s', async (program) => {
    await expectHelp(`node ${program} --help`);
  });
});

/** They pass their options on, to a third-party tool or to a command of the workspaces service. */
const others = new Set(['test', 'lint', 'format', 'token']);

describe.concurrent('an unknown option is named before anything is done', () => {
  it.each(Object.keys(scripts).filter((name) => !others.has(name)))('npm run %s', async (name) => {
    const { code, err } = await run(`${scripts[name]} --nonsense`);
    expect(code).toBe(1);
    expect(err.split('\n')[0]).toMatch(/nonsense|which request/);
    expect(err).not.toMatch(/^\s+at /m);
    expect(existsSync(touched) ? readFileSync(touched, 'utf8') : '').toBe('');
  });

  it.each(shellScripts)('%s', async (file) => {
    const said = await run(`${file} --nonsense`);
    expectSentence(file, said);
    expect(said.err).toContain('--nonsense');
  });
});

describe.concurrent('a missing prerequisite is reported in one sentence', () => {
  const args: Readonly<Record<string, string>> = { token: ' list', trace: ' some-id', sandbox: ' verify-business' };
  const withoutArgs = ['keys', 'demo', 'reconcile', 'statement', 'doctor', 'load', 'screenshots'];
  const needsSystem = [...withoutArgs, ...Object.keys(args)];
  it.each(needsSystem)('npm run %s without a running system', async (name) => {
    expectSentence(name, await run(`${scripts[name]}${args[name] ?? ''}`));
  });

  it('npm run rolling-restart without a running system', async () => {
    expectSentence('rolling-restart', await run(`${scripts['rolling-restart']} --project none`));
  });

  it.each(['reconcile', 'token'])('npm run %s without Postgres', async (name) => {
    const said = await run(`${scripts[name]}${args[name] ?? ''}`, {
      DATABASE_URL: 'postgres://x:y@127.0.0.1:1/payroll',
    });
    expectSentence(name, said);
    expect(said.err).toMatch(/DATABASE_URL/);
  });

  it('npm run statement if the provider fails for one of the days', async () => {
    const period = { from: '2027-06-01T00:00:00.000Z', to: '2027-06-02T00:00:00.000Z' };
    const provider = createServer(({ url }, response) => {
      response.statusCode = url === '/statements/2027-06-01' ? 200 : 503;
      response.end(JSON.stringify(period));
    });
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const { port } = provider.address() as AddressInfo;
    const env = { PROVIDER_URL: `http://127.0.0.1:${port}`, PROVIDER_KEY: 'key' };
    expectSentence('statement', await run(`${scripts['statement']} --day 2027-06-01 --day 2027-06-02`, env));
    provider.close();
  });

  it('a command in a checkout that was never built', async () => {
    const bin = join(place, 'tools/bin');
    cpSync(join(repositoryRoot, 'tools/bin'), bin, { recursive: true });
    const said = await run(`node ${join(bin, 'run.mjs')} keys`);
    expectSentence('keys', said);
    expect(said.err).toContain('npm start');
  });
});
