import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/architecture.md`, 'utf8');
/** A file in backticks, and in the next ones of its table's cell or brackets the name to look for in it. */
const named = [...page.matchAll(/`([a-z-]+\/[\w./-]+\.ts)`(?: \||,| \(|\)?) ?`(\w+)`/g)].map(([, file, name]) => ({
  file: file!,
  name: name!,
}));

it('names in the path of a write and in where to start', () => {
  expect(named.length).toBeGreaterThan(12);
});

it.each(named)('$file has $name', ({ file, name }) => {
  expect(existsSync(root + file)).toBe(true);
  expect(readFileSync(root + file, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});
