/** Implements `npm run client`: generates the SDK's types from openapi.json; `--check` reports outdated ones. */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { read, root, runMain, runProcess } from './repository.ts';

const target = 'packages/sdk/src/v1.ts';
/** Installed with the judges, not with the rest, because it needs its own version of TypeScript. */
const generator = join(root, 'tests/judges/node_modules/.bin/openapi-typescript');

/** The document without prose: a corrected description does not require new types. */
async function typedPart(): Promise<string> {
  const prose = new Set(['description', 'summary', 'example', 'examples', 'x-codeSamples']);
  const withoutProse = (key: string, value: unknown): unknown =>
    prose.has(key) && (typeof value === 'string' || Array.isArray(value)) ? undefined : value;
  return JSON.stringify(JSON.parse(await runProcess('rest-facade', 'openapi'), withoutProse), null, 2);
}

function firstLine(document: string): string {
  const digest = hash('sha256', document, 'hex');
  return `// Made by \`npm run client\` of the document ${digest}.\n`;
}

async function generate(document: string): Promise<string> {
  using dir = mkdtempDisposableSync(join(tmpdir(), 'payroll-client-'));
  const [input, output] = [join(dir.path, 'openapi.json'), join(dir.path, 'v1.d.ts')];
  writeFileSync(input, document);
  // A property with a default may be omitted from a request.
  await promisify(execFile)(generator, [input, '--default-non-nullable', 'false', '--output', output]);
  return firstLine(document) + readFileSync(output, 'utf8');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  const document = await typedPart();
  const isCurrent = read(target).startsWith(firstLine(document));
  if (values.check !== true) {
    writeFileSync(join(root, target), await generate(document));
    return console.log(`wrote ${target}`);
  }
  if (!isCurrent) console.error(`${target} is of another document: npm run client, then commit it`);
  process.exitCode = isCurrent ? 0 : 1;
}

await runMain('client', main);
