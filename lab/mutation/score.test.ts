import { expect, it } from 'vitest';
import { scoreOf, survivorsOf } from './score.js';

const mutant = (status: string, line: number) => ({
  status,
  location: { start: { line } },
  mutatorName: 'EqualityOperator',
  replacement: 'a <=\n  b',
});

const report = {
  files: {
    'a.ts': { mutants: [mutant('Killed', 1), mutant('Timeout', 2), mutant('Survived', 3), mutant('Ignored', 4)] },
    'b.ts': { mutants: [mutant('NoCoverage', 5), mutant('CompileError', 6)] },
  },
};

it('counts the mutants that a test could have detected', () => {
  expect(scoreOf(report)).toEqual({ mutants: 4, noticed: 2, survived: 2, score: 50 });
  expect(scoreOf({ files: {} }).score).toBeNull();
});

it('lists every survivor with its place', () => {
  expect(survivorsOf(report)).toEqual([
    'a.ts:3 EqualityOperator: a <= b',
    'b.ts:5 EqualityOperator: a <= b (no test comes by)',
  ]);
});
