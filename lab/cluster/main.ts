import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { definitionOf } from '@payroll/infra/processes';
import { type Secrets, credentialsOf } from '@payroll/infra/secrets';
import { type Resource, environmentIn, kustomize, named } from '@payroll/tests/support/kubernetes';
import { oneOf, progress, runCommand } from '@payroll/tools/cli';
import { seedPeople } from '@payroll/tools/demo/seed';
import { StartupError } from '@payroll/tools/startup-error';
import { type Told, compare } from '../namespaces/compare.js';
import { goApart, isApart, requireHost } from '../namespaces/host.js';
import { type Tenant, furnish } from '../torture/system/workspaces.js';
import { KUBECONFIG, startControlPlane, startDns } from './control-plane.js';
import { IMAGES, deploymentOn } from './deployment.js';
import { buildImages } from './images.js';
import { HOME, fresh, install, versions } from './install.js';
import { Load } from '../namespaces/load.js';
import { NODES, Node, PAUSE, makeNetwork, removeCgroups, startDoor, startOutside } from './machines.js';
import { type Cast, SCENES, type Scene } from './scenes.js';
import { type Played, brokenIn, describe, tableOf, wholeAfter } from './verdict.js';

const USAGE = `Usage: npm run cluster [-- options]

Kubernetes with three nodes, each in namespaces of its own, and infra/kubernetes on it, with Postgres and the payout provider outside;
about fifty requests a second at /v1. Plays each scene below, and compares after each what clients were told with what is there. Needs
Linux, root, Debian and kustomize 5; Kubernetes is compiled once, and kept below .local. Takes about 20 minutes, the first time 40.

${SCENES.map(({ name, title }) => `  ${name.padEnd(10)}${title}\n`).join('')}
Exit code 1 if a promise is broken: an acknowledged approval is lost or paid twice, a request fails in an upgrade or while a node is
drained, or requests fail for too long after a loss.

  --scene <name>   this alone (may be repeated)
  --short          one upgrade and one roll back, with however many requests
  --keep           waits at the end until Ctrl-C
  --help           this text
`;

interface Options {
  scenes: Scene[];
  isShort: boolean;
  isKept: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scene: { type: 'string', multiple: true },
      short: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const names = SCENES.map(({ name }) => name);
  const chosen = (values.scene ?? names).map((text) => oneOf('--scene', text, names));
  const scenes = chosen.map((name) => SCENES[names.indexOf(name)]!);
  return { scenes, isShort: values.short, isKept: values.keep };
}

/** By the names that pods use. */
const DOORS = {
  rest: { url: 'http://balancer:4000/v1' },
  graphql: { url: 'http://balancer:4001/graphql' },
};
/** More than are approved in all scenes. */
const PIECES = 24_000;

async function main({ scenes, isShort, isKept }: Options): Promise<void> {
  if (!isApart()) {
    requireHost(['npm', 'git', 'tar']);
    if (kustomize === undefined) throw new StartupError('this needs kustomize 5, or a kubectl of 1.27 or newer');
    install();
    progress('Building the images');
    buildImages({ ...IMAGES, pause: PAUSE }, join(fresh('images'), 'images.tar'));
    goApart(fileURLToPath(import.meta.url));
    return removeCgroups();
  }
  await using cleanup = new AsyncDisposableStack();
  const home = fresh('run');
  if (isKept) cleanup.defer(() => new Promise(() => progress('It is kept until Ctrl-C')));
  progress(`Starting Postgres, the control plane and three nodes: ${versions()}`);
  makeNetwork(home);
  const { secrets, databaseUrl, provider } = await startOutside(home, cleanup);
  const plane = await startControlPlane(home);
  const nodes = NODES.map((spec) => new Node(spec, join(home, spec.name)));
  for (const node of nodes) node.start(join(HOME, 'images'), KUBECONFIG);
  startDoor(home);
  await startDns(home, plane);
  await plane.nodesReady(NODES.length);
  progress('Applying infra/kubernetes');
  const deployment = deploymentOn(plane);
  await deployment.begin(secrets);
  const tenants = await settle(home, databaseUrl, workspacesEnvironment(deployment.objects, secrets));
  const load = await Load.of(DOORS.rest.url, tenants);
  const told: Told = { clients: load.clients, databaseUrl, reported: new Set() };
  const cast: Cast = { plane, deployment, nodes, load, isShort };

  const all: Played[] = [];
  for (const scene of scenes) {
    const from = performance.now();
    const played = await play(scene, cast, (findings) => compare(told, provider, findings));
    appendFileSync(join(home, 'failures.log'), `${scene.title}\n${load.failuresSince(from)}`);
    all.push(played);
    progress(describe(played));
  }
  console.log(tableOf(all));
  process.exitCode = all.some((each) => brokenIn(each).length > 0) ? 1 : 0;
}

/** Four workspaces with people, contracts and submitted work, made through the cluster. */
async function settle(dir: string, databaseUrl: string, environment: Record<string, string>): Promise<Tenant[]> {
  const system = { dir, file: DOORS, environmentOf: () => environment };
  const { workspaces, graphqlToken: token, financeTokens: finance } = await seedPeople(system);
  const file = { ...DOORS, graphql: { ...DOORS.graphql, token, finance }, workspaces };
  return await furnish({ ...system, file }, databaseUrl, PIECES);
}

/** The environment of the operator's commands, which run on this host: that of the pods, without files of other Secrets. */
function workspacesEnvironment(objects: readonly Resource[], secrets: Secrets): Record<string, string> {
  const variables = environmentIn(objects, named(objects, 'Deployment', 'workspaces')!);
  return { ...variables, NATS_CA_FILE: '', ...credentialsOf(definitionOf('workspaces'), secrets) };
}

type Compared = Pick<Played, 'lost' | 'paidTwice'>;

const STEADY_MS = 5_000;

const isAnswer = (finding: string): boolean => !finding.includes('no answer');

/** Each kind of finding once, without its ids and times. */
function counted(findings: readonly string[]): string[] {
  const kinds = Map.groupBy(findings, (each) => each.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}/g, '…'));
  return [...kinds].map(([kind, all]) => `${all.length} times ${kind}`);
}

/** One scene under load, and its traces. */
async function play(
  { title, promised, act, repair }: Scene,
  cast: Cast,
  compared: (findings: string[]) => Promise<Compared>,
): Promise<Played> {
  const { load, deployment } = cast;
  await deployment.settled();
  const reading = load.start();
  await new Promise((resolve) => setTimeout(resolve, STEADY_MS));
  const [from, before, failedBefore] = [performance.now(), load.sent, load.failedAt.length];
  const improper = load.clients.improper.length;
  const findings = (await act(cast)) ?? [];
  const ms = performance.now() - from;
  await repair?.(cast);
  await deployment.settled();
  reading[Symbol.dispose]();
  await load.clients.pause();
  const failedAt = load.failedAt.slice(failedBefore);
  const requests = load.sent - before;
  const wrong = [...load.whyFailed(from), ...load.clients.improper.slice(improper)];
  // Where something is lost, no answer may arrive.
  findings.push(
    ...counted(promised === 'nothing fails' ? wrong : load.clients.improper.slice(improper).filter(isAnswer)),
  );
  const rest = { requests, failed: failedAt.length, wholeMs: wholeAfter(failedAt, from), findings };
  return { title, promised, ms, ...rest, ...(await compared(findings)) };
}

await runCommand('cluster', { usage: USAGE, read: readOptions, run: main });
// The nodes would keep it running.
process.exit();
