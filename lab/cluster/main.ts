import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { definitionOf } from '@payroll/infra/processes';
import { credentialsOf, type Secrets } from '@payroll/infra/secrets';
import { environmentIn, kustomize, named, type Resource } from '@payroll/tests/support/kubernetes';
import { flag, options, progress, runCommand, someOf, StartError } from '@payroll/tools/cli';
import { seedPeople } from '@payroll/tools/demo/seed';
import { goApart, isApart, requireHost } from '../namespaces/host.js';
import { Approvals, Reads } from '../namespaces/load.js';
import { type Answers, compare } from '../namespaces/verdict.js';
import { prepareWorkspaces, type Tenant } from '../torture/system/workspaces.js';
import { KUBECONFIG, startControlPlane, startDns } from './control-plane.js';
import { deploymentOn, IMAGES } from './deployment.js';
import { buildImages } from './images.js';
import { fresh, HOME, install, versions } from './install.js';
import { makeNetwork, Node, NODES, PAUSE, removeCgroups, startEntry, startOutside } from './machines.js';
import { type Cast, type Scene, SCENES } from './scenes.js';
import { brokenIn, describeScene, type Played, tableOf, wholeAfter } from './verdict.js';

const USAGE = `Usage: npm run cluster [-- options]

Kubernetes with three nodes, each in namespaces of its own, and infra/kubernetes on it, with Postgres and the payout provider outside;
about fifty requests a second at /v1. Plays each scene below, and compares after each what clients were told with what is there. Needs
Linux, root, Debian and kustomize 5; Kubernetes is compiled once, and kept below .local. Takes about 20 minutes, the first time 40.

${SCENES.map(({ name, title }) => `  ${name.padEnd(10)}${title}\n`).join('')}
Exit code 1 if a promise is broken: an acknowledged approval is lost or paid twice, a request fails in an upgrade or while a node is
drained, or requests fail for too long after a loss.

  --scene <name>   this alone (may be repeated)
  --short          one upgrade and one roll back, with however many requests
  --help           this text
`;

const read = options({ scene: someOf(SCENES.map(({ name }) => name)), short: flag });

/** By the names that pods use. */
const ENDPOINTS = {
  rest: { url: 'http://balancer:4000/v1' },
  graphql: { url: 'http://balancer:4001/graphql' },
};
/** More than are approved in all scenes. */
const ITEMS = 24_000;

async function main({ scene: names, short: isShort }: ReturnType<typeof read>): Promise<void> {
  if (!isApart()) {
    requireHost(['npm', 'git', 'tar']);
    if (kustomize === undefined) throw new StartError('this needs kustomize 5, or a kubectl of 1.27 or newer');
    install();
    progress('Building the images');
    buildImages({ ...IMAGES, pause: PAUSE }, join(fresh('images'), 'images.tar'));
    goApart(fileURLToPath(import.meta.url));
    return removeCgroups();
  }
  await using cleanup = new AsyncDisposableStack();
  const home = fresh('run');
  progress(`Starting Postgres, the control plane and three nodes: ${versions()}`);
  makeNetwork(home);
  const { secrets, databaseUrl, provider } = await startOutside(home, cleanup);
  const plane = await startControlPlane(home);
  const nodes = NODES.map((spec) => new Node(spec, join(home, spec.name)));
  for (const node of nodes) node.start(join(HOME, 'images'), KUBECONFIG);
  startEntry(home);
  await startDns(home, plane);
  await plane.nodesReady(NODES.length);
  progress('Applying infra/kubernetes');
  const deployment = deploymentOn(plane);
  await deployment.begin(secrets);
  const tenants = await settle(home, databaseUrl, workspacesEnvironment(deployment.objects, secrets));
  const approvals = await Approvals.at(ENDPOINTS.rest.url, tenants);
  const answers: Answers = { approvals, databaseUrl, provider, reported: new Set() };
  const all: Played[] = [];
  for (const scene of SCENES.filter(({ name }) => names.includes(name))) {
    const played = await play(scene, { plane, deployment, nodes, isShort }, answers, tenants);
    all.push(played);
    progress(describeScene(played));
  }
  console.log(tableOf(all));
  process.exitCode = all.some((each) => brokenIn(each).length > 0) ? 1 : 0;
}

/** Four workspaces with people, contracts and submitted work, made through the cluster. */
async function settle(dir: string, databaseUrl: string, environment: Record<string, string>): Promise<Tenant[]> {
  const system = { dir, file: ENDPOINTS, environmentOf: () => environment };
  const { workspaces, graphqlToken: token, financeTokens: finance } = await seedPeople(system);
  const file = { ...ENDPOINTS, graphql: { ...ENDPOINTS.graphql, token, finance }, workspaces };
  return await prepareWorkspaces({ ...system, file }, databaseUrl, ITEMS);
}

/** The environment of the operator's commands, which run on this host: that of the pods, without files of other Secrets. */
function workspacesEnvironment(objects: readonly Resource[], secrets: Secrets): Record<string, string> {
  const variables = environmentIn(objects, named(objects, 'Deployment', 'workspaces')!);
  return { ...variables, NATS_CA_FILE: '', ...credentialsOf(definitionOf('workspaces'), secrets) };
}

const STEADY_MS = 5_000;

const isAnswer = (finding: string): boolean => !finding.includes('no answer');

/** Each kind of finding once, without its ids and times. */
function counted(findings: readonly string[]): string[] {
  const kinds = Map.groupBy(findings, (each) => each.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}/g, '…'));
  return [...kinds].map(([kind, all]) => `${all.length} times ${kind}`);
}

/** One scene, with about fifty requests a second. */
async function play(
  { title, promised, act, repair }: Scene,
  cluster: Omit<Cast, 'sent'>,
  answers: Answers,
  tenants: readonly Tenant[],
): Promise<Played> {
  const { deployment } = cluster;
  const { approvals } = answers;
  await deployment.settled();
  approvals.resume();
  using reads = new Reads(ENDPOINTS.rest.url, tenants);
  const sent = (): number => reads.sent + approvals.acknowledged.length + approvals.failedAt.length;
  await pause(STEADY_MS);
  const [from, before] = [performance.now(), sent()];
  const [failedBefore, improperBefore] = [approvals.failedAt.length, approvals.improper.length];
  const found = (await act({ ...cluster, sent })) ?? [];
  const ms = performance.now() - from;
  await repair?.({ ...cluster, sent });
  await deployment.settled();
  reads[Symbol.dispose]();
  await approvals.pause();
  const failed = reads.failed.filter(({ at }) => at >= from);
  const failedAt = [...failed.map(({ at }) => at), ...approvals.failedAt.slice(failedBefore)];
  const improper = approvals.improper.slice(improperBefore);
  // Where something is lost, no answer may arrive.
  const wrong =
    promised === 'nothing fails' ? [...failed.map(({ why }) => why), ...improper] : improper.filter(isAnswer);
  const losses = await compare(answers, [...found, ...counted(wrong)]);
  const figures = { requests: sent() - before, failed: failedAt.length, wholeMs: wholeAfter(failedAt, from) };
  return { title, promised, ms, ...figures, ...losses };
}

await runCommand('cluster', { usage: USAGE, read, run: main });
// The nodes would keep it running.
process.exit();
