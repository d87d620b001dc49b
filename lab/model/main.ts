/** `npm run model`: visits every order of the protocol's steps, up to a bound. */
import { parseArgs } from 'node:util';
import { configurations, type Configuration } from './configurations.ts';
import { allFaults, faults, type Fault } from './names.ts';
import type { Explored } from './search.ts';

const MAX_STATES = 2_000_000;

const help = `npm run model [-- --fault <name>] [-- --short]

Visits every state that approvals, payouts and retried requests can get into, whoever fails in between, and tells the shortest
story of one that should not be (lab/model/model.md). Exit code 1 when there is one, or when there were too many states.

  --fault <name>  puts a fault back, in the configuration that finds it
  --short         leaves out the large configurations
  --help          this

Configurations

${configurations.map(({ name, says }) => `  ${name.padEnd(24)}${says}`).join('\n')}

Faults

${allFaults.map((name) => `  ${name.padEnd(35)}${faults[name]}`).join('\n')}
`;

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

function main(): void {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      short: { type: 'boolean', default: false },
      fault: { type: 'string' },
    },
  });
  if (values.help === true) return void process.stdout.write(help);
  const fault = values.fault as Fault | undefined;
  if (fault !== undefined && !allFaults.includes(fault)) throw new Error(`there is no fault "${fault}"; try --help`);
  const chosen = configurations.filter(({ finds, isLong }) =>
    fault === undefined ? !values.short || !isLong : finds.includes(fault),
  );
  let isGood = true;
  for (const configuration of chosen) {
    const put = new Set(fault === undefined ? [] : [fault]);
    const explored = configuration.explore({ faults: put, mostStates: MAX_STATES });
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
