import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Footprint, common, enteredOf, footprintTable, linesOf } from './footprint.js';
import { markdown } from '../../table.js';

const text = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const OUTER = `function outer(items) {
  // Why.

  const each = items.map((item) => {
    return item;
  });
  return each;
}
`;
const range = (code: string, from: string, to: string): string =>
  `${code.indexOf(from)}-${code.indexOf(to) + to.length}`;
const rangesIn = (code: string) => ({
  outer: range(code, 'function outer', '  return each;\n}'),
  inner: range(code, '(item) =>', 'return item;\n  }'),
});

describe('the footprint', () => {
  it('counts lines of code in entered functions, without comments and empty lines', () => {
    const { outer, inner } = rangesIn(OUTER);
    expect(linesOf(OUTER, new Set([outer, inner]), new Set())).toBe(6);
  });

  it('excludes inner functions that were not entered', () => {
    const { outer, inner } = rangesIn(OUTER);
    expect(linesOf(OUTER, new Set([outer]), new Set([outer, inner]))).toBe(5);
  });

  it('does not depend on the code around the function', () => {
    const moved = `const first = () => {\n  return 1;\n};\n${OUTER}`;
    const { outer, inner } = rangesIn(moved);
    expect(linesOf(moved, new Set([outer, inner]), new Set())).toBe(6);
  });

  it("uses V8's counts, without the code of the module itself", () => {
    const counted = (startOffset: number, count: number) => ({
      functionName: '',
      isBlockCoverage: false,
      ranges: [{ startOffset, endOffset: 100, count }],
    });
    const script = { scriptId: '1', url: 'file:///a.js', functions: [counted(0, 1), counted(10, 2), counted(20, 0)] };
    expect([...enteredOf([script])]).toEqual([['file:///a.js', new Set(['10-100'])]]);
  });

  it('includes only functions that were entered in every repetition', () => {
    const first = new Map([
      ['a', new Set(['1-2', '3-4'])],
      ['timer', new Set(['1-2'])],
    ]);
    expect([...common([first, new Map([['a', new Set(['3-4', '5-6'])]])])]).toEqual([['a', new Set(['3-4'])]]);
  });
});

it('lab/bench/performance.md has the table of footprint.json', () => {
  const footprints = JSON.parse(text('footprint.json')) as Footprint[];
  expect(text('performance.md')).toContain(markdown(footprintTable(footprints)));
});
