import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@payroll/kernel';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../local/repository-root.js';
import { sendGraphql } from '../../demo/graphql-client.js';
import { seedDemo } from '../../demo/seed.js';
import { startSystem, type System } from './support.js';

const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
const [first = '', ...blocks] = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);

let system: System;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
});

afterAll(async () => await started.disposeAsync());

async function shell(script: string): Promise<string> {
  const env = { ...process.env, STACK_DIR: system.stack.dir };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: repositoryRoot,
    env,
  });
  return stdout;
}

it('the README begins with the two commands, which tests of their own run', () => {
  expect(first.match(/^npm \w+/gm)).toEqual(['npm start', 'npm test']);
});

it.each(blocks.map((block) => [block.split('\n')[0]!, block]))(
  'what the README says under "%s" works as it stands',
  async (_, block) => {
    const output = await shell(block);
    // The demo shows refusals too, and checks by itself that they are the right ones.
    if (output.includes('All as promised')) return;
    expect(output).toContain('"data"');
    expect(output).not.toContain('"error"');
  },
);

it('every npm script the documents name is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...readme.matchAll(/npm run (?:--silent )?([a-z]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

const gatewayReadme = readFileSync(join(repositoryRoot, 'gateway/README.md'), 'utf8');
const examples = [...gatewayReadme.matchAll(/```graphql\n(.*?)\n```/gs)].map(([, block]) => block!);

it.each(examples)('the example of gateway/README.md works: %s', async (example) => {
  const { finance, ...application } = system.access();
  const { errors } = example.startsWith('mutation')
    ? await sendGraphql(application, example, { id: newId() })
    : await sendGraphql({ ...application, token: finance[0] }, example);
  // A mutation of the example is understood; that contract is nobody's.
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(
    example.startsWith('mutation') ? ['NOT_FOUND'] : undefined,
  );
});

it('the first call of gateway/README.md works as it stands', async () => {
  const [block = ''] = gatewayReadme.match(/(?<=```sh\n).*?(?=```)/s) ?? [];
  expect(await shell(block)).toContain('"kybStatus":"verified"');
});
