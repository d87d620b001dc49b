import { expect, it } from 'vitest';
import { csvLine, paymentsFile } from './csv.js';

it('a file begins with the mark of UTF-8, by which Excel knows it', async () => {
  async function* lines() {
    yield await Promise.resolve(csvLine(['Jürgen']));
  }
  const { content } = paymentsFile(lines());
  expect((await content.toArray()).join('')).toBe('\ufeff"Jürgen"\r\n');
});

it('every field is quoted, and a quote in it doubled', () => {
  expect(csvLine(['a', null, 'say "x", then\ny', '10.00'])).toBe('"a","","say ""x"", then\ny","10.00"\r\n');
});

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n=1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '\u200b=1',
  '\ufeff\u2060 ＝1',
  '=HYPERLINK("http://x","y")',
])('%j is text for a spreadsheet, not a formula', (text) => expect(csvLine([text]).startsWith('"\'')).toBe(true));

it.each(['12.50', 'Ada = Lovelace', 'Ada ＝ Lovelace', '\u200bAda', '2027-06-01', ''])('%j stays as it is', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\r\n`);
});

it.each([
  ['Noah;=cmd|x', "Noah;'=cmd|x"],
  ['Ada\n+1\t@x', "Ada\n'+1\t'@x"],
])('%j has no formula either where a spreadsheet splits it', (text, shown) => {
  expect(csvLine([text])).toBe(`"${shown}"\r\n`);
});
