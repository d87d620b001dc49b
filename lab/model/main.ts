/** `npm run model`: visits every order of the protocol's steps, up to a bound. */
import { parseArgs } from 'node:util';
import { type Configuration, configurations } from './configurations.ts';
import { type Fault, allFaults, faults } from './names.ts';
import type { Explored } from './search.ts';

const MAX_STATES = 2_000_000;

const help = `npm run model [-- --fault <name>] [-- --short] [-- --histories <n>] [-- --states <n>] [configuration ...]

Visits every state that approvals, payouts and retried requests can get into, whoever fails in between, and tells the shortest
story of one that should not be (lab/model/model.md). Exit code 1 when there is one, or when there were too many states.

  --fault <name>  puts a fault back, in the configuration that finds it
  --short         leaves out the large configurations
  --histories <n> histories of the database, instead of a configuration's own number
  --states <n>    how many states a configuration may have, default ${MAX_STATES.toLocaleString('en')}
  --help          this

Configurations

${configurations.map(({ name, says }) => `  ${name.padEnd(24)}${says}`).join('\n')}

Faults

${allFaults.map((name) => `  ${name.padEnd(35)}${faults[name]}`).join('\n')}
`;

function choose(names: readonly string[], { short = false, fault }: { short?: boolean; fault?: string }): Chosen {
  const unknown = names.find((name) => !configurations.some((each) => each.name === name));
  if (unknown !== undefined) throw new Error(`there is no configuration "${unknown}"; try --help`);
  if (fault !== undefined && !allFaults.some((name) => name === fault))
    throw new Error(`there is no fault "${fault}"; try --help`);
  const known = fault as Fault | undefined;
  const isMeant = ({ name, isLong, finds }: Configuration): boolean => {
    if (names.length > 0) return names.includes(name);
    return known === undefined ? !short || !isLong : finds.includes(known);
  };
  return { chosen: configurations.filter(isMeant), faults: new Set(known === undefined ? [] : [known]) };
}

interface Chosen {
  chosen: readonly Configuration[];
  faults: ReadonlySet<Fault>;
}

function report({ name }: Configuration, { states, steps, depth, seconds, isWhole, found }: Explored): void {
  const verdict = found === null ? (isWhole ? 'holds' : 'TOO MANY STATES') : 'BROKEN';
  const counted = [`${states} states`, `${steps} steps`, `depth ${depth}`, `${seconds.toFixed(1)} s`].map((text) =>
    text.padStart(14),
  );
  console.log(`${name.padEnd(24)}${counted.join('')}  ${verdict}`);
  if (found === null) return;
  console.log(`\n  ${found.rule}:\n`);
  found.story.forEach((line, n) => console.log(`  ${String(n + 1).padStart(2)}  ${line}`));
  console.log('');
}

function countOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${option} is a whole number above 0`);
  return Number(text);
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      short: { type: 'boolean' },
      fault: { type: 'string' },
      histories: { type: 'string' },
      states: { type: 'string', default: String(MAX_STATES) },
    },
  });
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  const mostStates = countOf('--states', values.states);
  const histories = values.histories === undefined ? undefined : countOf('--histories', values.histories);
  const { chosen, faults: put } = choose(positionals, values);
  let isGood = true;
  for (const configuration of chosen) {
    const explored = configuration.explore({ faults: put, mostStates, histories });
    report(configuration, explored);
    isGood &&= explored.found === null && explored.isWhole;
  }
  process.exitCode = isGood ? 0 : 1;
}

try {
  main();
} catch (error) {
  console.error(`npm run model: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
