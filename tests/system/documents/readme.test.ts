import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@payroll/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { greeting } from '@payroll/tools/local/run-start';
import { processes, repositoryRoot } from '@payroll/infra/processes';
import { sendGraphql } from '@payroll/tools/demo/graphql-client';
import { seedDemo } from '@payroll/tools/demo/seed';
import { rules, type Rule } from './rules.js';
import { startSystem, type System } from '../support.js';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');

interface DocumentedCommand {
  readonly file: string;
  /** One command, or a block of commands that belong together. */
  readonly text: string;
}

/** Running text that begins like this is a command that a reader will type. */
const COMMAND =
  /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|curl|docker|docker-compose|eval|promtool|(?:infra|tests)\/\S+\.sh)(?= [\w@<$-])(?! --[\w-]+$)|^(?:infra|tests)\/\S+\.sh$/;

function documents(): string[] {
  return execFileSync('git', ['ls-files', '*.md'], { cwd: repositoryRoot, encoding: 'utf8' }).trim().split('\n');
}

const withoutFences = (markdown: string): string => markdown.replaceAll(/^ *```.*?^ *```/gms, '');

/** Every shell block, and every command in running text, of every document in the repository. */
function documentedCommands(): DocumentedCommand[] {
  return documents().flatMap((file) => {
    const markdown = read(file);
    const blocks = [...markdown.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block]) => block!);
    const spans = [...withoutFences(markdown).matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, ' '));
    return [...blocks, ...new Set(spans.filter((span) => COMMAND.test(span)))].map((text) => ({ file, text }));
  });
}

/** Blocks whose commands would be overlooked: fenced without a language, or only indented. */
function unnamedBlocks(): string[] {
  return documents().flatMap((file) => {
    const markdown = read(file);
    const opening = [...markdown.matchAll(/^ *```(\w*)\n.*?^ *```/gms)].filter(([, language]) => language === '');
    const indented = withoutFences(markdown).matchAll(/(?<=\n\n) {4,}(?![-*] |\d)\S.*/g);
    return [...opening, ...indented].map(([text]) => `${file}: ${text.split('\n').slice(0, 2).join(' ')}`);
  });
}

const documented = documentedCommands();
const ruleOf = (text: string): Rule | undefined => rules.find(({ like }) => like.test(text.trim()));

let system: System;
let place: string;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
  place = mkdtempSync(join(tmpdir(), 'payroll-documents-'));
  started.defer(() => rmSync(place, { recursive: true }));
  standInForDocker();
});

afterAll(async () => await started.disposeAsync());

function standInForDocker(): void {
  mkdirSync(join(place, 'bin'));
  symlinkSync(join(import.meta.dirname, 'docker-compose.mjs'), join(place, 'bin/docker-compose'));
  const environments = Object.fromEntries(processes.map(({ name }) => [name, system.stack.environmentOf(name)]));
  const stackFile = join(system.stack.dir, 'stack.json');
  const known = { root: repositoryRoot, environments, ownerUrl: system.stack.database.ownerUrl, stackFile };
  writeFileSync(join(place, 'stand-in.json'), JSON.stringify(known));
}

async function shell(script: string, input = ''): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(place, 'bin'), process.env['PATH']].join(delimiter),
    STACK_DIR: system.stack.dir,
    STAND_IN: join(place, 'stand-in.json'),
  };
  // The documents keep files beside the checkout; here they go to a temporary folder.
  const own = script.replaceAll('.compose', join(place, 'compose'));
  const running = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', own], { cwd: repositoryRoot, env });
  // A command that ends before it has read its input should fail by its exit code, not by EPIPE.
  running.child.stdin?.on('error', () => {}).end(input);
  // A command explains its failure on stdout or stderr.
  const failed = (error: { message: string; stdout: string }): never => {
    throw new Error(`${error.message}\n${error.stdout}`);
  };
  return (await running.catch(failed)).stdout;
}

describe('the documents', () => {
  it("the documents generate a client's types with the same versions that we use", () => {
    const { devDependencies } = JSON.parse(read('tests/judges/package.json')) as { devDependencies: object };
    const [, command = ''] = /^npx (.*openapi-typescript.*)$/m.exec(read('rest-facade/introduction.md')) ?? [];
    const named = [...command.matchAll(/-p ([\w-]+)@(\S+)/g)].map(([, name, version]) => [name, version]);
    expect(named.length).toBe(2);
    expect(devDependencies).toMatchObject(Object.fromEntries(named) as object);
  });

  it('every command in the documents is covered by a rule', () => {
    const unknown = documented.filter(({ text }) => ruleOf(text) === undefined);
    expect(unknown.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
    expect(documented.length).toBeGreaterThan(60);
  });

  it('no block in the documents hides a command from this test', () => {
    expect(unnamedBlocks()).toEqual([]);
  });

  it('every rule matches a documented command', () => {
    const idle = rules.filter((rule) => !documented.some(({ text }) => ruleOf(text) === rule));
    expect(idle.map(({ like }) => String(like))).toEqual([]);
  });

  it('the documents name only existing test folders and npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const text = documented.map((command) => command.text).join('\n');
    const named = [...text.matchAll(/npm run (?:--silent )?([a-z-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const parts = [...text.matchAll(/npm test -- ([\w/. -]+?)(?: +#.*)?$/gm)].flatMap(([, rest]) => rest!.split(' '));
    const folders = parts.filter((part) => part.includes('/'));
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((folder) => !existsSync(join(repositoryRoot, folder)))).toEqual([]);
  });
});

const toRun = [...new Set(documented.map(({ text }) => text.trim()))].flatMap((text) => {
  const rule = ruleOf(text);
  return rule && 'says' in rule ? [[text.split('\n')[0]!, text, rule] as const] : [];
});
// A new password ends what the person's assistants may do, so it is set last.
toRun.sort(([, a], [, b]) => Number(a.includes('set-password')) - Number(b.includes('set-password')));

it.each(toRun)('"%s" works as printed', async (_, text, { says, fillIn = {}, input }) => {
  const script = Object.entries(fillIn).reduce((filled, [what, own]) => filled.replaceAll(what, own), text);
  const output = await shell(script, input);
  expect(output).toMatch(says);
  if (!output.includes('All as promised')) expect(output).not.toContain('"error"');
});

it.each(rules.flatMap((rule) => ('runBy' in rule ? [[String(rule.like), rule] as const] : [])))(
  'the file that runs commands like %s still runs them',
  (_, { runBy, words }) => {
    expect(read(runBy)).toContain(words);
  },
);

/** The code on a page that readers copy. */
function codeOf(html: string): string[] {
  const words: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return [...html.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, code]) =>
    code!.replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => words[name]!),
  );
}

it("the guide's code blocks are the server's address, settings with it, or a host's command with it", async () => {
  const { url } = system.stack.file.mcp!;
  const page = await (await fetch(new URL('/', url))).text();
  // The rest of the page shows the dialogues that a person sees, not text to copy.
  const code = codeOf(page.slice(0, page.indexOf('id="what-you-are-asked-before-a-change"')));
  expect(code.length).toBeGreaterThan(3);
  for (const text of code) {
    expect(text).toContain(url);
    // We cannot run the hosts: check only that each command begins with a host's name.
    if (text.startsWith('{')) expect(() => JSON.parse(text) as unknown).not.toThrow();
    else expect(text).toMatch(/^(?:http|(?:claude|codex|gemini) mcp add |npx mcp-remote )\S*/);
  }
});

it('the first request that npm start prints works as printed', async () => {
  const said = greeting(system.stack.file, { dir: system.stack.dir, cwd: repositoryRoot, seconds: 1 });
  const [curl = ''] = said.match(/(?<=A first request\n) +curl .+/) ?? [];
  expect(await shell(curl)).toContain('"data"');
});

it('every address that npm start prints answers', async () => {
  const said = greeting(system.stack.file, { dir: system.stack.dir, cwd: repositoryRoot, seconds: 1 });
  const pages = [...said.matchAll(/^ {2}(?:Application|Reference|Explorer|Guide) +(\S+)$/gm)].map(([, url]) => url!);
  expect(pages.length).toBe(4);
  for (const url of pages) expect((await fetch(url)).headers.get('content-type'), url).toContain('text/html');
});

/** Examples use ids that do not exist, and their key may have been used by another example. */
const UNDERSTOOD = /^(?:NOT_FOUND|IDEMPOTENCY_KEY_REUSED)$/;

it('every request of the reference page works with the id of an existing resource', async () => {
  const { url } = system.stack.file.rest;
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { 'x-codeSamples'?: { label: string; source: string }[] }>>;
  };
  const samples = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((each) => each['x-codeSamples'] ?? []),
  );
  const [curls, calls] = ['curl', '@payroll/sdk'].map((name) => samples.filter(({ label }) => label === name));
  expect([curls?.length, calls?.length]).toEqual([15, 15]);
  const keys = `eval "$(npm run --silent keys)"\n`;
  const requests = curls!.map(({ source }) => `${source.replace('curl', 'curl -s')}; echo`);
  const answers = (await shell([keys, ...requests].join('\n'))).trim().split('\n');
  const codesOf = answers.map(
    (answer) => (JSON.parse(answer) as { error?: { code: string } }).error?.code ?? 'NOT_FOUND',
  );
  expect(codesOf).toEqual(curls!.map(() => expect.stringMatching(UNDERSTOOD) as string));
  const tried = calls!.map(
    ({ source }) => `codes.push(await ${source.slice(6)}.then(() => 'NOT_FOUND', ({ code }) => code));`,
  );
  const sdk = join(repositoryRoot, 'packages/sdk/dist/index.js');
  const program = [
    `import { Payroll } from ${JSON.stringify(sdk)};`,
    'const payroll = new Payroll({ baseUrl: process.env.URL, key: process.env.KEY });',
    'const codes = [];',
    ...tried,
    'console.log(JSON.stringify(codes));',
  ];
  const codes = JSON.parse(await shell(`${keys}node --input-type=module`, program.join('\n'))) as string[];
  expect(codes).toEqual(calls!.map(() => expect.stringMatching(UNDERSTOOD) as string));
});

it('the explorer opens with the token and the workspace of the demo', async () => {
  const { graphql } = system.stack.file;
  const page = await (await fetch(new URL('/explorer/', graphql.url))).text();
  expect(page).toContain(graphql.token);
  expect(page).toContain(system.workspaces[0].id);
});

it('npm run token creates, lists and revokes a token of the system that npm start runs', async () => {
  const token = (
    await shell('npm run --silent token -- --team support --owner sue@example.com --name "one call"')
  ).trim();
  const { data } = await sendGraphql({ ...system.access(), token }, '{ business { id } }');
  expect(data).toBeTruthy();
  const [line = ''] = (await shell('npm run --silent token -- list')).split('\n');
  expect(line).toMatch(/support +sue@example\.com {2}one call {2}made /);
  const [id = ''] = line.split(' ');
  expect((await shell(`npm run --silent token -- revoke --id ${id}`)).trim()).toBe(id);
  const { errors } = await sendGraphql({ ...system.access(), token }, '{ business { id } }');
  expect(errors?.[0]?.extensions?.code).toBe('INVALID_CREDENTIAL');
});

it('names the required role if DATABASE_URL has another one', async () => {
  const owner = `DATABASE_URL='${system.stack.database.ownerUrl}' npm run --silent token -- list`;
  await expect(shell(owner)).rejects.toThrow(
    '\nworkspaces: DATABASE_URL: this needs the role workspaces, not payroll_owner\n',
  );
});

const examples = [...read('docs/graphql-examples.md').matchAll(/```graphql\n(.*?)\n```/gs)].map(([, block]) => block!);

it.each(examples)('the example of docs/graphql-examples.md works: %s', async (example) => {
  const { finance, ...application } = system.access();
  const { errors } = example.startsWith('mutation')
    ? await sendGraphql(application, example, { id: newId() })
    : await sendGraphql({ ...application, token: finance[0] }, example);
  // The mutation is accepted, but no contract has this id.
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(
    example.startsWith('mutation') ? ['NOT_FOUND'] : undefined,
  );
});
