// `npm run fuzz`: the long form of tests/fuzz, whose short one is a part of `npm test`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const help = `npm run fuzz [-- --requests <n>] [-- --seed <n>]

Sends requests to every operation of /v1 that are made of its openapi.json alone: some in order, some with one thing wrong.
Every answer must be one that the document declares and none a 5xx, what was created must be there as it was sent, what was
wrong must be named. Prints its seed; a failure prints the smallest request that shows it. Starts a system of its own.

  --requests <n>  how many are generated, reading back what was created aside; default 5000
  --seed <n>      the same requests again; default: by chance
`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '5000' },
        seed: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const wrong = ['requests', 'seed'].find((name) => values[name] !== undefined && !/^\d+$/.test(values[name]));
    if (wrong) throw new Error(`--${wrong} is a whole number`);
    return values;
  } catch (error) {
    process.stderr.write(`npm run fuzz: ${error.message}\n\n${help}`);
    process.exit(1);
  }
}

const values = readOptions();
if (values.help) process.stdout.write(help);
else {
  process.env.FUZZ_REQUESTS = values.requests;
  process.env.FUZZ_SEED = values.seed ?? String(randomInt(2 ** 31));
  process.argv.splice(2, Infinity, 'tests/fuzz');
  await import('./test.mjs');
}
