// The first file of `npm run judges` and `npm run client`: installs what they use, then hands over.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installIfNeeded } from '../../../tools/bin/install.mjs';
import { prepare } from '../../../tools/bin/prepare.mjs';
import { StepFailed } from '../../../tools/bin/step.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const judges = `npm run judges [-- redocly] [-- spectral] [-- prism] [-- conformance] [-- inspector] [-- hive]

Lets tools that are not ours judge /v1, /mcp and the subgraphs: starts a system of its own on free ports and prints a line for each
judge. Exit code 1 when one of them finds something. Without names all of them judge.

  redocly    the document against Redocly's recommended-strict: no problem at all
  spectral   the document against spectral:oas and the OWASP API security rules: no error
  prism      every end-to-end test through a proxy that holds requests and answers against the document: no violation
  conformance  the suite of the Model Context Protocol, for hosts of 2026-07-28 and of 2025-11-25; what does not apply is
               in tests/judges/conformance/expected-*.yaml, each with its reason
  inspector    the protocol's inspector lists and calls
  hive         Hive's routers, planning in JavaScript and in Rust, change and join over the running subgraphs; the audit of
               graphql-http: each subgraph does what GraphQL over HTTP asks

The judges have lockfiles of their own: tests/judges/package-lock.json, and one each in conformance/ and hive/. The first
run installs what those named need.
`;

const client = `npm run client

Writes packages/sdk/src/v1.ts, the types that openapi-typescript makes of the document that rest-facade serves.
`;

const [what, ...args] = process.argv.slice(2);
const help = { judges, client }[what];
const others = 'tests/judges';
const apart = { conformance: `${others}/conformance`, hive: `${others}/hive` };
const programs = { judges: 'tests/dist/judges/main.js', client: 'tools/check/client-types.ts' };

const known = { judges: ['redocly', 'spectral', 'prism', 'conformance', 'inspector', 'hive'], client: [] };

function foldersNeeded() {
  if (what === 'client') return [others];
  if (args.length === 0) return [others, ...Object.values(apart)];
  return new Set(args.map((name) => apart[name] ?? others));
}

/** Every answer is compared with the public contract. */
process.env.RESPONSE_CHECK_RATIO ??= '1';

async function main() {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(help);
  const unknown = args.find((name) => !known[what].includes(name));
  if (unknown !== undefined) throw new StepFailed(`it does not know "${unknown}": try --help`);
  const isVerbose = process.env.LOG !== undefined;
  await prepare(root, { isVerbose, needsBackends: what === 'judges' });
  for (const folder of foldersNeeded()) await installIfNeeded(join(root, folder), { isVerbose });
  const program = join(root, programs[what]);
  const child = spawn(join(root, 'node_modules/.bin/node'), [program, ...args], { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm run ${what}: ${error.message}\n`);
  if (!(error instanceof StepFailed)) console.error(error);
  process.exitCode = 1;
}
