import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurations } from './configurations.ts';
import { allFaults, stepNames } from './names.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const page = read('lab/model/model.md');

const NO_FAULTS = new Set<never>();
const MAX_STATES = 100_000;

describe('the protocol', () => {
  const short = configurations.filter(({ isLong }) => !isLong);

  it.each(short)(
    'holds in every state of $name, and lab/model/model.md has the number of states',
    ({ name, explore }) => {
      const { found, isWhole, states } = explore({ faults: NO_FAULTS, mostStates: MAX_STATES });
      expect(found).toBeNull();
      expect(isWhole).toBe(true);
      expect(page).toMatch(new RegExp(`^\\| ${name} \\|.*\\| ${states.toLocaleString('en')} \\|`, 'm'));
    },
  );
});

describe('each fault', () => {
  it('is found by exactly one configuration', () => {
    const finds = configurations.flatMap((each) => each.finds);
    expect(finds.toSorted()).toEqual(allFaults.toSorted());
  });

  const found = configurations.flatMap(({ finds, explore }) => finds.map((fault) => ({ fault, explore })));

  it.each(found)('$fault is found by a story as long as lab/model/model.md says', ({ fault, explore }) => {
    const { found: broken } = explore({ faults: new Set([fault]), mostStates: MAX_STATES });
    const [, length] = new RegExp(`^\\| \`${fault}\` \\|.*\\| (\\d+) \\|$`, 'm').exec(page) ?? [];
    expect(broken?.story.length).toBe(Number(length));
  });

  it.each(['history-remembered', 'reply-without-history'] as const)(
    'the story of %s is the one in lab/model/model.md',
    (fault) => {
      const { explore } = configurations.find(({ finds }) => finds.includes(fault))!;
      const { rule, story } = explore({ faults: new Set([fault]), mostStates: MAX_STATES }).found!;
      expect(page).toContain([`${rule}:`, '', ...story.map((line, n) => `${n + 1}. ${line}`)].join('\n'));
    },
  );
});

describe('lab/model/model.md', () => {
  const rows = [...page.matchAll(/^\| (.+?) +\| `([\w./-]+\.ts)` +\| `(\w+)` +\|/gm)].map(([, step, file, name]) => ({
    step: step!.replaceAll('`', ''),
    file: file!,
    name: name!,
  }));

  it('names the function for each step and each fault', () => {
    expect(rows.map(({ step }) => step).toSorted()).toEqual([...stepNames, ...allFaults].toSorted());
  });

  it.each(rows)('$step: $file has $name', ({ file, name }) => {
    expect(read(file)).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('lists only steps that are taken', () => {
    const taken = configurations.flatMap(({ explore }) => [...explore({ faults: NO_FAULTS, mostStates: 4_000 }).names]);
    expect(new Set(taken)).toEqual(new Set(stepNames));
  });
});
