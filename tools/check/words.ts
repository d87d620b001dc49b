/**
 * Counts words that hide who does what, in comments and in titles of tests: docs/glossary.md has the terms to use
 * instead. None may be used more often than `words.json` says; `--write` stores counts that have fallen.
 */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './repository.ts';

const patterns = {
  whoever: /\b[Ww](?:ho|hom|hat|here)ever\b|\bhowever (?:many|often|much|it)\b/,
  'what (as a subject)': /(?:^|[.;:] )[Ww]hat (?!to\b)/,
  'who (as a subject)': /(?:^|[.;:] )[Ww]ho /,
  'Of …': /^Of\b/,
  'so many': /\bso (?:many|much|long|few)\b(?! that)|\bas many as\b/,
  nobody: /\b[Nn]obody\b/,
  somebody: /\b(?:some|any)body\b/,
  'is none': /\b(?:is|are|was|be) none\b|\b(?:is|are) no (?!longer|more|better)[a-z]+/,
  came: /\b[Cc]ame\b|\bcomes? (?:in|again|back|late|first|along|here|to|of|once|from)\b/,
  'is told': /\b(?:is|are|was|were|be) told\b|\btells? (?:of|about|that|which)\b|\btold of\b/,
  'is asked': /\b(?:is|are|being|be) asked\b|\basks? (?:for|about|again|anew)\b/,
  history: /\b(?:other|another|this|lost|same|which) history\b|\bhistor(?:y|ies) of the database\b/,
  'hand in': /\b[Hh]and(?:s|ed|ing)? (?:in|over|out|back|on)\b/,
  'give back': /\bgive(?:s|n)? back\b|\btakes? back\b|\btaken back\b/,
  bury: /\bbur(?:y|ied|ies|ial)\b/,
  'does not fit': /\b(?:does|do|did) not fit\b|\bfits\b/,
  mend: /\b[Mm]end(?:s|ed|ing)?\b/,
  door: /\b[Dd]oors?\b/,
  anew: /\banew\b|\bonce more\b|\bany more\b|\bfor ever\b|\bfor good\b|\bas ever\b|\bas always\b/,
  reckon: /\breckon(?:s|ed|ing)?\b/,
  'of ours': /\bof ours\b/,
} as const;

type Pattern = keyof typeof patterns;
const names = Object.keys(patterns) as Pattern[];

const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*?)(?:\*\/)?\s*$/;
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/;

interface Use {
  readonly pattern: Pattern;
  readonly place: string;
}

function usesIn(file: string): Use[] {
  return read(file)
    .split('\n')
    .flatMap((line, index) => {
      const text = COMMENT.exec(line)?.[1] ?? (file.endsWith('.test.ts') ? TITLE.exec(line)?.[2] : undefined);
      if (text === undefined) return [];
      const found = names.filter((name) => patterns[name].test(text));
      return found.map((pattern) => ({ pattern, place: `${file}:${index + 1} ${text.trim()}` }));
    });
}

const files = globSync('**/*.{ts,tsx}', {
  cwd: root,
  exclude: [
    '**/node_modules/**',
    '**/dist/**',
    '.local/**',
    'packages/sdk/src/v1.ts',
    'console/src/graph.ts',
    'tools/check/words.ts',
  ],
});
const uses = files.flatMap(usesIn);
const counts = Object.fromEntries(names.map((name) => [name, uses.filter(({ pattern }) => pattern === name).length]));

if (process.argv.includes('--write')) {
  writeFileSync(join(root, 'tools/check/words.json'), `${JSON.stringify(counts, null, 2)}\n`);
} else {
  const most = JSON.parse(read('tools/check/words.json')) as Record<string, number>;
  for (const name of names.filter((name) => (counts[name] ?? 0) > (most[name] ?? 0))) {
    console.error(
      `"${name}" is used ${counts[name]} times, and was ${most[name] ?? 0} times: write one of these in plain words`,
    );
    for (const { place } of uses.filter(({ pattern }) => pattern === name).slice(0, 40)) console.error(`  ${place}`);
    process.exitCode = 1;
  }
  console.log(`${uses.length} uses: ${names.map((name) => `${name} ${counts[name]}`).join(' · ')}`);
}
