import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '@payroll/infra/processes';
import { Folder } from './sdk/package.js';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';

// The code of every guide for integrators, one block after the other, is a program that they can start from.

const system = await joinSystem();
const folder = new Folder();
const env = {
  URL: system.stack.file.rest.url,
  API_KEY: system.workspaces[0].apiKeys.admin,
};
await submittedTimesheet(system.access(), await activeContract(system.access()));
afterAll(() => folder[Symbol.dispose]());

const SAYS: Readonly<Record<string, RegExp>> = {
  'approve-safely': /^pending: \d+\.\d\d EUR\n$/,
  'first-sync': /^Reading the workspace of .+\n[1-9]\d* items\n$/,
  'go-live': /: payments can leave\n$/,
  idempotency: /^One draft, not two\n$/,
  money: /^(?:[A-Z]{3} \S+ can be spent, as of \S+Z\n)*draft\n$/,
  'test-your-integration': /^Reached, and understood: NOT_FOUND, request \S{36}\n$/,
};

describe('the code of a guide works as printed', () => {
  // The guide for people has no code.
  const files = globSync('rest-facade/guides/*.md', { cwd: repositoryRoot, exclude: ['**/connect-an-assistant.md'] });

  it('every guide has code', () => {
    expect(files.map((file) => basename(file, '.md')).toSorted()).toEqual(Object.keys(SAYS));
  });

  it.each(files)('%s', async (file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    const program = [...text.matchAll(/^```js\n([^]*?)^```/gm)].map(([, block]) => block!).join('\n');
    folder.write('guide.js', program);
    const { code, stdout, stderr } = await folder.node(env, 'guide.js');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(SAYS[basename(file, '.md')]!);
  });
});
