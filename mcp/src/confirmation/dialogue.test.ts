import { expect, test } from 'vitest';
import { factsOf, milestoneDialogue, quoted, type Reviewed } from './dialogue.js';

test.each([
  ['Site work', '“Site work”'],
  ['  two\n lines\t', '“two lines”'],
  ['“quoted” and "plain"', '“’quoted’ and ’plain’”'],
  ['right\u202eto left, \u200bhidden\u0000', '“right to left, hidden”'],
  ["Site'' ˮor״ ″that‷", '“Site’ ’or’ ’that’”'],
  ['Site&rdquo; &#8221;&#x201D; AT&T & Co', '“Site& rdquo; & #8221;& #x201D; AT&T & Co”'],
  ['Site❞ ＂or〞 ❛that❜', '“Site’ ’or’ ’that’”'],
  ['Site\u3164\u3164\u2800\u034f\ufe0fAmount: 1.00 EUR', '“Site Amount: 1.00 EUR”'],
  ['![x](https://evil.example/?q=1) <b>bold</b> `code`', '“![x] (https://evil.example/?q=1) ‹b›bold‹/b› ’code’”'],
  ['', '“”'],
])('%j is shown as %s', (text, shown) => {
  expect(quoted(text)).toBe(shown);
});

test('cuts long text between characters, not inside surrogate pairs', () => {
  expect(quoted('😀😀😀', 2)).toBe('“😀😀…”');
});

test.each([
  ['](', '] ('],
  // NFC writes this letter as two.
  ['\u0958', '\u0915\u093c'],
])('a text of the allowed length is shown whole, though %j becomes longer', (part, shown) => {
  expect(quoted(part.repeat(100), part.length * 100)).toBe(`“${shown.repeat(100)}”`);
});

test.each([
  [{ status: 'active', deletedAt: null }, 'Contract: “Site”\n'],
  [{ status: 'cancelled', deletedAt: null }, 'Contract: “Site” (cancelled)\n'],
  [{ status: 'cancelled', deletedAt: '2027-03-01T09:30:00.000Z' }, 'Contract: “Site” (deleted)\n'],
])('the person reads whether the contract is over: %j', (state, line) => {
  const contract = { title: 'Site', worker: { name: 'Wanda' }, ...state };
  const caller = { workspaceName: 'Northwind' };
  const reviewed = { action: 'approve', caller, contract, today: '2027-03-02', reason: '', page: 'https://app' };
  const milestone = { title: 'Home page', amount: { amount: '1.00', currency: 'EUR' }, dueDate: null };
  expect(milestoneDialogue(reviewed as Reviewed, milestone as never)).toContain(line);
});

test('facts without a value are left out', () => {
  expect(
    factsOf([
      ['A', '1'],
      ['B', null],
      ['C', undefined],
      ['D', ''],
    ]),
  ).toBe('A: 1\nD: ');
});
