/** `npm run schema`: writes files that follow from the code but are committed; with `--check` reports outdated ones. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { composeServices } from '@apollo/composition';
import { minifyIntrospection, preprocessIntrospection } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema, parse } from 'graphql';
import { stringify } from 'yaml';
import { buildFolders, processFolders, read, root, runMain, runProcess } from './repository.ts';
import { renderSolution, SOLUTION } from './workspaces.ts';

const help = `npm run schema [-- --check]

Writes what follows from the code and is committed so that changes of it are seen: tools/build/tsconfig.json, the list of
all that is built; services/*/schema.graphql, as each service prints it; gateway/supergraph.graphql, composed of them;
console/src/graph.ts, the same for gql.tada; infra/nats/permissions.txt, who may say and hear what; and in
infra/kubernetes/components the alerts and the secrets in the form of their operators.

  --check  builds and writes nothing; fails when a committed file is not what would be written
  --help   this
`;

interface Generated {
  readonly path: string;
  readonly content: string;
}

async function emitSubgraph(folder: string): Promise<Generated & { service: string }> {
  const content = `${(await runProcess(folder, 'schema')).trim()}\n`;
  return { service: basename(folder), path: `${folder}/schema.graphql`, content };
}

/** Composition keeps the order of its input, which is by name: the same services give the same text. */
function compose(subgraphs: readonly (Generated & { service: string })[]): Generated {
  const result = composeServices(
    subgraphs.map(({ service, content }) => ({
      name: service,
      url: `http://${service}.internal/graphql`,
      typeDefs: parse(content),
    })),
  );
  if (result.errors)
    throw new Error(`no supergraph:\n${result.errors.map(({ message }) => `  ${message}`).join('\n')}`);
  return { path: 'gateway/supergraph.graphql', content: `${result.supergraphSdl.trim()}\n` };
}

/** For type inference only: without descriptions, and without the types of the query planner. */
function graphTypes({ path, content }: Generated): Generated {
  const introspection = introspectionFromSchema(buildSchema(content));
  const types = introspection.__schema.types.filter(({ name }) => !/^(join|link)__/.test(name));
  const text = preprocessIntrospection(minifyIntrospection({ __schema: { ...introspection.__schema, types } }));
  return {
    path: 'console/src/graph.ts',
    content: `// Made by \`npm run schema\` of ${path}.\nexport type introspection = ${text};\n`,
  };
}

function isCommitted({ path, content }: Generated): boolean {
  return existsSync(join(root, path)) && read(path) === content;
}

async function permissions(): Promise<Generated> {
  // Imported after the build, which creates it.
  const { renderPermissions } = await import('@payroll/infra/nats/permissions');
  return { path: 'infra/nats/permissions.txt', content: renderPermissions() };
}

/** The alerts for Prometheus' operator, and the secrets of each process for External Secrets. */
async function kubernetes(): Promise<Generated[]> {
  const { externalSecrets } = await import('@payroll/infra/kubernetes/secrets');
  const alerts = read('infra/monitoring/prometheus/alerts.yml').replaceAll(/^(?=.)/gm, '  ');
  const rule = `apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: { name: payroll }\nspec:\n${alerts}`;
  const secrets = externalSecrets().map((each) => stringify(each, { lineWidth: 0 }));
  const components = 'infra/kubernetes/components';
  return [
    { path: `${components}/monitoring/made-rule.yaml`, content: `${MADE} of infra/monitoring.\n${rule}` },
    { path: `${components}/external-secrets/made-secrets.yaml`, content: `${MADE}.\n${secrets.join('---\n')}` },
  ];
}

const MADE = '# Made by `npm run schema`';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) return console.log(help);
  const solution = { path: SOLUTION, content: renderSolution(root) };
  if (values.check !== true) {
    writeFileSync(join(root, SOLUTION), solution.content);
    // The sources of the files, but not the console, whose types follow from them.
    if (!buildFolders([...processFolders('services/*'), 'infra'])) return void (process.exitCode = 1);
  }
  const subgraphs = await Promise.all(processFolders('services/*').map(emitSubgraph));
  const supergraph = compose(subgraphs);
  const files = [
    solution,
    ...subgraphs,
    supergraph,
    graphTypes(supergraph),
    await permissions(),
    ...(await kubernetes()),
  ];
  const stale = files.filter((file) => !isCommitted(file));
  for (const { path, content } of stale) {
    if (values.check === true) console.error(`${path} is out of date: npm run schema, then commit it`);
    else writeFileSync(join(root, path), content);
  }
  if (values.check === true) process.exitCode = stale.length > 0 ? 1 : 0;
  else console.log(stale.length > 0 ? `wrote ${stale.map(({ path }) => path).join(', ')}` : 'all up to date');
}

await runMain('schema', main);
