/** `npm run check`: every static check of the code. */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root, runMain, workspaces } from './repository.ts';

interface Check {
  readonly name: string;
  readonly says: string;
  /** A program of node_modules/.bin and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The check that runs before it, because this one needs its build. */
  readonly after?: string;
  /** Also print its output when it passes. */
  readonly isShown?: boolean;
  /** How to fix a failure, if the output does not say so itself. */
  readonly advice?: string;
}

/** Longest first, so that the short checks fill the other core. */
const checks: readonly Check[] = [
  {
    name: 'types',
    says: 'everything compiles, tests included',
    command: ['tsc', '-b', 'tools/build/tsconfig.json', 'tsconfig.json'],
  },
  {
    name: 'workspaces',
    says: 'every workspace is listed and refers to what it uses; versions are exact, one per library',
    command: ['node', 'tools/check/workspaces.ts'],
  },
  {
    name: 'format',
    says: 'oxfmt has nothing to change',
    command: ['oxfmt', '--check'],
    advice: 'npm run format',
  },
  {
    name: 'layers',
    says: 'who may import whom (tools/check/layers.cjs)',
    command: [
      'depcruise',
      '--config',
      'tools/check/layers.cjs',
      '--output-type',
      'err-long',
      ...workspaces.map((part) => part.replace('/*', '')),
    ],
  },
  {
    name: 'unused',
    says: 'no file, export or dependency that nobody uses',
    command: ['knip', '--config', 'tools/check/knip.json', '--no-progress', '--no-config-hints'],
  },
  {
    name: 'words',
    says: 'comments and titles of tests use no more words that hide who does what than before',
    command: ['node', 'tools/check/words.ts'],
    isShown: true,
    advice: 'node tools/check/words.ts --write  takes over counts that have fallen',
  },
  {
    name: 'importers',
    says: 'prints how many files have exactly one importer',
    command: ['node', 'tools/check/importers.ts'],
    isShown: true,
  },
  {
    name: 'settings',
    says: '.env.example explains what docker-compose.yml takes, and that hands on what the code reads',
    command: ['node', 'tools/check/settings.ts'],
    after: 'types',
  },
  {
    name: 'lint',
    says: 'the style page, as far as a tool can read (.oxlintrc.json)',
    command: ['oxlint', '--type-aware'],
    // Linting tests needs the types of the packages that they import.
    after: 'types',
  },
  {
    name: 'schema',
    says: 'the committed schemas are what the services emit, and they compose; the permissions of NATS are those of its table',
    command: ['node', 'tools/check/supergraph.ts', '--check'],
    after: 'types',
  },
  {
    name: 'pages',
    says: 'what pages ask fits the graph',
    command: ['node', 'tools/check/pages.ts'],
    after: 'types',
  },
  {
    name: 'client',
    says: 'the types of the SDK are of the openapi.json that is served',
    command: ['node', 'tools/check/client-types.ts', '--check'],
    after: 'types',
  },
  {
    name: 'migrations',
    says: 'the migrations lead to the tables that the code declares, and none makes requests wait',
    command: ['node', 'tools/check/migrations.ts', '--check'],
    after: 'types',
  },
];

interface Outcome {
  readonly check: Check;
  readonly isPassed: boolean;
  readonly output: string;
  readonly durationMs: number;
}

/** Runs checks side by side, at most `width` at a time, each after the one it names. */
async function runChecks(
  checks: readonly Check[],
  width: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const left = [...checks];
  const outcomes = new Map<string, Promise<Outcome>>();
  const takeTurns = async (): Promise<void> => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      const outcome = run(check, outcomes.get(check.after ?? ''));
      outcomes.set(check.name, outcome);
      onOutcome(await outcome);
    }
  };
  await Promise.all(Array.from({ length: width }, takeTurns));
  return await Promise.all(outcomes.values());
}

async function run(check: Check, before: Promise<unknown> | undefined): Promise<Outcome> {
  await before;
  const [program, ...args] = check.command;
  const bin = join(root, 'node_modules/.bin');
  const startedAt = performance.now();
  const child = spawn(join(bin, program), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The tools start their own Node: it has to be the pinned one too.
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isPassed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { check, isPassed, output: output.trim(), durationMs: performance.now() - startedAt };
}

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
