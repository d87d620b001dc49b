import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

const MONEY =
  /\b(?:paid|pays?|payouts?|payments?|due|balances?|covered|ow(?:ed|es?)|amounts?|money|funds?|transfer|deductions?|short)\b/i;
/** A statement has a verb or ends as a sentence does; a label does neither. */
const STATEMENT =
  /\b(?:is|are|was|were|has|have|had|will|would|fail(?:s|ed)?|becomes?|gets?|got|can|cannot|could|stands?|waits?|arrives?|starts?|sends?|took|declines?)\b|[.:]$/;
/** Number of consecutive words that identify a sentence. */
const RUN = 5;

/** Labels and form errors, and statements about the world outside this system or that are never shown. */
const NEEDS_NO_TEST: ReadonlySet<string> = new Set([
  'A payout has a method.',
  'All amounts of the contract are in its currency.',
  'An amount for each piece of content, such as a video for a campaign.',
  'An amount for each result, such as 2,000 EUR for a finished logo.',
  'Choose how the money is sent',
  'Enter a rate above zero that can be paid',
  'Held payout details, because the access of the worker was ended',
  'Payments are made automatically when due',
  'Payments that are found',
  'Somebody else has added payout details meanwhile.',
  'The account to transfer to is in your agreement with us.',
  'The payment provider declines payouts to this account.',
  'The payout details have changed meanwhile.',
  'The rate has more decimal places than can be paid',
  'payments are in this file.',
]);

const SOURCES = ['console/src/**/*.{ts,tsx}', 'services/workspaces/src/web/**/*.{ts,tsx}'];
/** The sandbox's notices say what a tester has just done. */
const NO_SOURCES = ['**/*.test.ts', 'console/src/sections/sandbox/**'];
const TESTS = [
  'tests/system/browser/*.test.ts',
  'tests/system/resilience/faults.test.ts',
  'console/src/**/*.test.ts',
  'services/workspaces/test/pages/**/*.test.ts',
];

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The statements about money in a file's texts, sentence by sentence; without what is filled in. */
function statementsIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.push(node.text);
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts
    .flatMap((text) => plain(text).split(/(?<=[.;:]) /))
    .filter((text) => text.split(' ').length > 2 && !/[{}]/.test(text) && MONEY.test(text) && STATEMENT.test(text));
}

const statements = [
  ...new Set(globSync(SOURCES, { exclude: NO_SOURCES }).flatMap((path) => statementsIn(path))),
].toSorted();
const tests = globSync(TESTS)
  .map((path) => plain(readFileSync(path, 'utf8')))
  .join(' ');

function isNamed(statement: string): boolean {
  const words = statement.replace(/[.;:,]$/, '').split(' ');
  const run = Math.min(RUN, words.length);
  const runs = Array.from({ length: words.length - run + 1 }, (_, n) => words.slice(n, n + run).join(' '));
  return runs.some((each) => tests.includes(each));
}

it('each statement about money on a page is named by a test, which compares it with what happens', () => {
  expect(statements.length).toBeGreaterThan(80);
  expect(statements.filter((each) => !NEEDS_NO_TEST.has(each) && !isNamed(each))).toEqual([]);
});

it('the list of statements that need no test has none that is gone or tested', () => {
  const needed = statements.filter((each) => !isNamed(each));
  expect([...NEEDS_NO_TEST].filter((each) => !needed.includes(each))).toEqual([]);
});
