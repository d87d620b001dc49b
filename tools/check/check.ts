/** `npm run check`: every static check of the code. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runMain } from './repository.ts';
import { checks, runChecks, type Check, type Outcome } from './run-checks.ts';

/** Two tools at a time, because some use several cores by themselves. */
const WIDTH = 2;

const help = `npm run check [-- [--report <file>] [name ...]]

Runs every check, or those named, and fails if one of them does.

${checks.map(({ name, says }) => `  ${name.padEnd(12)}${says}`).join('\n')}

  --report <file>  also writes { "passed": n, "failed": n } there
  --help           this
`;

function choose(names: readonly string[]): readonly Check[] {
  if (names.length === 0) return checks;
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown !== undefined) throw new Error(`there is no check "${unknown}"; try --help`);
  const needed = checks.flatMap(({ name, after }) => (names.includes(name) && after !== undefined ? [after] : []));
  return checks.filter(({ name }) => names.includes(name) || needed.includes(name));
}

function report({ check, isPassed, output, durationMs }: Outcome): void {
  const took = `${(durationMs / 1000).toFixed(1)} s`.padStart(7);
  console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${took}  ${check.name}`);
  if (isPassed && check.isShown !== true) return;
  console.log(`\n${output.replaceAll(/^/gm, '    ')}\n`);
  if (!isPassed && check.advice !== undefined) console.log(`    → ${check.advice}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, report: { type: 'string' } },
  });
  if (values.help === true) return console.log(help);
  const chosen = choose(positionals);
  console.log(`Checking ${chosen.map(({ name }) => name).join(', ')} …`);
  const outcomes = await runChecks(chosen, WIDTH, report);
  const failed = outcomes.filter(({ isPassed }) => !isPassed).map(({ check }) => check.name);
  const passed = outcomes.length - failed.length;
  console.log(`${passed} checks passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`);
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ passed, failed: failed.length }));
  process.exitCode = failed.length > 0 ? 1 : 0;
}

await runMain('check', main);
