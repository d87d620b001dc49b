import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');

describe('files and names that the documents mention', () => {
  const pages = ['README.md', 'docs/architecture.md', 'docs/DEVELOPMENT.md'];
  /** A file in backticks and the name to look for in it: in the table's next cell, in brackets, or after a comma. */
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(?!src\/)([a-z-]+\/[\w./-]+\.[a-z]+)`(?:(?: \||,|\s\(|\)?)\s?`(\w+)`)?/g)].map(
      ([, file = '', name]) => ({ file, name }),
    ),
  );

  it('are many', () => {
    expect(named.filter(({ name }) => name !== undefined).length).toBeGreaterThan(25);
  });

  it('exist', () => {
    const gone = named.filter(({ file }) => !existsSync(join(root, file)));
    expect(gone.map(({ file }) => file)).toEqual([]);
    const strangers = named.filter(({ file, name }) => name && !new RegExp(`\\b${name}\\b`).test(read(file)));
    expect(strangers.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });
});

it('DEVELOPMENT.md shows the whole table of allowed imports', () => {
  const layers = createRequire(import.meta.url)('../../tools/check/layers.cjs') as { forbidden: { name: string }[] };
  const rows = layers.forbidden.map(({ name }) => name).filter((name) => name.includes(' imports '));
  expect(rows.length).toBeGreaterThan(20);
  expect(read('docs/DEVELOPMENT.md')).toContain(`\`\`\`text\n${rows.join('\n')}\n\`\`\``);
});

describe('decisions', () => {
  const records = globSync('docs/adr/[0-9]*.md', { cwd: root })
    .map((file) => file.slice('docs/adr/'.length))
    .toSorted();
  const numbers = records.map((name) => name.slice(0, 2));

  it('ADRs are numbered without a gap, in file names and titles, and all are listed', () => {
    expect(numbers).toEqual(records.map((_, index) => String(index + 1).padStart(2, '0')));
    const list = read('docs/adr/README.md');
    for (const name of records) {
      expect(read(`docs/adr/${name}`), name).toMatch(new RegExp(`^# ${name.slice(0, 2)} \\S`));
      expect(list).toContain(`(${name})`);
    }
  });

  it('every ADR that code or a document refers to exists', () => {
    const files = git('grep', '-lIE', '\\bADRs?\\b|adr/[0-9]', '--', ':!tests/repository/documents.test.ts');
    const references = files.flatMap((file) =>
      [...read(file).matchAll(/\bADRs?[\s*#/]+(\d+(?:, \d+)*)|\badr\/(\d+)/g)].flatMap(([, listed, linked]) =>
        (listed ?? linked)!.split(', ').map((number) => ({ file, number })),
      ),
    );
    expect(references.length).toBeGreaterThan(100);
    const unknown = references.filter(({ number }) => !numbers.includes(number));
    expect(unknown.map(({ file, number }) => `${file}: ${number}`)).toEqual([]);
  });
});

it('every link between documents resolves', () => {
  const broken = git('ls-files', '*.md').flatMap((page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    return links
      .filter((link) => !/^(?:https?:|mailto:|\/)/.test(link) && !leads(page, link))
      .map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function leads(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).includes(anchor);
}

/** As GitHub derives them from headings. */
function anchorsOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^ *```.*?^ *```/gms, '').replaceAll(/`[^`\n]*`/g, (span) => span.slice(1, -1));
}

it('docs/settings.md explains each setting that a process reads', () => {
  const sources = globSync('{packages,services}/*/src/**/*.ts', { cwd: root }).concat(
    globSync('{gateway,rest-facade,mcp,console,sandbox-provider}/src/**/*.ts', { cwd: root }),
  );
  const code = sources
    .filter((file) => !file.endsWith('.test.ts'))
    .map(read)
    .join('\n');
  const asked = new Set([...code.matchAll(/\bs\.\w+\(\s*'([A-Z][A-Z_]+)'/g)].map(([, name = '']) => name));
  expect(asked.size).toBeGreaterThan(40);
  const explained = new Set([...read('docs/settings.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name));
  expect([...asked].filter((name) => !explained.has(name))).toEqual([]);
});

it("the README's program is part of the SDK's", () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(read('README.md')) ?? [];
  const lines = program.trim().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(read('packages/sdk/README.md').split('\n')).toContain(line);
});

it('no file has the markers of an unresolved merge', () => {
  // git grep fails where it finds nothing.
  expect(() => git('grep', '-nI', '-e', '^<<<<<<< ', '-e', '^>>>>>>> ')).toThrow();
});
