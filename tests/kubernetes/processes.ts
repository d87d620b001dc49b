import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceSettings } from '@payroll/service';
import { readSettings } from '@payroll/runtime';
import { parse } from 'yaml';
import { readConfig as consoleConfig } from '../../console/src/config.js';
import { readConfig as gatewayConfig } from '../../gateway/src/config.js';
import { readConfig as mcpConfig } from '../../mcp/src/config.js';
import { readConfig as facadeConfig } from '../../rest-facade/src/config.js';
import { readConfig as sandboxConfig } from '../../sandbox-provider/src/config.js';
import { readConfig as paymentsConfig } from '../../services/payments/src/config.js';
import { readConfig as workspacesConfig } from '../../services/workspaces/src/config.js';
import { processes, repositoryRoot, type ProcessDefinition, type ProcessName } from '@payroll/infra/processes';
import { credentialsOf, generateSecrets } from '@payroll/infra/secrets';
import {
  environmentIn,
  expand,
  matches,
  named,
  ofKind,
  workloads,
  type Labels,
  type Pod,
  type Resource,
} from '../support/kubernetes.js';

const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Places for replicas of each process, and the ports of the balancer. */
const balancer = textOf('infra/balancer/haproxy.cfg');
const PLACES = Number(/server-template replica (\d+)/.exec(balancer)?.[1]);
const BINDS = [...balancer.matchAll(/^ +bind :(\d+)$/gm)].map(([, port]) => Number(port));

const compose = parse(textOf('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, { environment: Record<string, unknown> }>;
};
const secrets = generateSecrets('production');

type ReadConfig = (env: NodeJS.ProcessEnv) => unknown;
const ofService =
  (name: 'contracts' | 'review'): ReadConfig =>
  (env) =>
    readSettings(env, (s) => serviceSettings(s, name));
const readConfig: Readonly<Record<ProcessName, ReadConfig>> = {
  workspaces: workspacesConfig,
  contracts: ofService('contracts'),
  review: ofService('review'),
  payments: paymentsConfig,
  gateway: gatewayConfig,
  'rest-facade': facadeConfig,
  mcp: mcpConfig,
  console: consoleConfig,
  'sandbox-provider': sandboxConfig,
};

const isTest = (objects: readonly Resource[]): boolean => settingsOf(objects)['DEPLOYMENT'] === 'test';

const settingsOf = (objects: readonly Resource[]): Readonly<Record<string, string>> =>
  ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('settings'))?.data ?? {};

/** The processes of this deployment; a live one has no sandbox provider. */
export const expectedProcesses = (objects: readonly Resource[]): readonly ProcessDefinition[] =>
  processes.filter(({ name }) => name !== 'sandbox-provider' || isTest(objects));

/** The variables that the process reads when it starts, and its configuration, or why it does not start with them. */
export function settingsRead(
  objects: readonly Resource[],
  definition: ProcessDefinition,
  given = secrets,
): { read: Record<string, string>; config?: unknown; refusal?: string } {
  const deployment = named(objects, 'Deployment', definition.name)!;
  const env = { ...environmentIn(objects, deployment), ...credentialsOf(definition, given) };
  const read: Record<string, string> = {};
  const watched = new Proxy(env, {
    get: (target, name) => (typeof name === 'string' ? (read[name] = target[name]!) : undefined),
  });
  try {
    return { config: readConfig[definition.name](watched), read };
  } catch (error) {
    return { read, refusal: (error as Error).message };
  }
}

export function processFindings(objects: readonly Resource[]): string[] {
  const expected = expectedProcesses(objects);
  const strangers = ofKind(objects, 'Deployment').filter(({ metadata }) =>
    expected.every(({ name }) => name !== metadata.name),
  );
  return [
    ...strangers.map(({ metadata }) => `Deployment ${metadata.name}: there is no such process`),
    ...expected.flatMap((definition) => {
      const { name } = definition;
      const deployment = named(objects, 'Deployment', name);
      if (deployment === undefined) return [`Deployment ${name}: is missing`];
      const found = [
        ...whatItRuns(objects, definition, deployment),
        ...howItStands(objects, deployment),
        ...itsSettings(objects, definition),
      ];
      return found.map((finding) => `Deployment ${name}: ${finding}`);
    }),
    ...balancerFindings(objects),
  ];
}

/** One line for each of these that does not hold. */
const unless = (...rules: readonly (readonly [boolean, string])[]): string[] =>
  rules.filter(([holds]) => !holds).map(([, finding]) => finding);

function whatItRuns(
  objects: readonly Resource[],
  { name, entry, defaultPort }: ProcessDefinition,
  deployment: Resource,
) {
  const { spec } = deployment.spec.template;
  const [container] = spec.containers;
  const env = environmentIn(objects, deployment);
  const command = container!.command?.map((word) => expand(word, env)).join(' ');
  const http = container!.ports?.find((port) => port.name === 'http')?.containerPort;
  return unless(
    [command === `node --env-file=/run/payroll/environment ${entry}`, `runs ${command}`],
    [http === defaultPort && env['LISTEN_PORT'] === String(defaultPort), `does not listen on ${defaultPort}`],
    ...itsSecret(name, spec),
    [container!.livenessProbe?.httpGet?.path === '/livez', 'its liveness asks more than the event loop'],
    [container!.readinessProbe?.httpGet?.path === '/readyz', 'its readiness does not ask /readyz'],
  );
}

function itsSecret(name: ProcessName, { volumes = [], containers: [container] }: Pod['spec']) {
  const mounted = volumes.find(({ secret }) => secret?.secretName === name)?.name;
  const own = container!.volumeMounts?.find(({ mountPath }) => mountPath === '/run/payroll');
  const others = processes.filter((each) => each.name !== name).map((each): string => each.name);
  const foreign = volumes.filter(({ secret }) => others.concat('migrate').includes(secret?.secretName ?? ''));
  return [
    [mounted !== undefined && own?.name === mounted, 'does not mount its own Secret at /run/payroll'],
    [foreign.length === 0, 'mounts the Secret of another process'],
  ] as const;
}

function howItStands(objects: readonly Resource[], deployment: Resource) {
  const { metadata, spec } = deployment;
  const { name } = metadata;
  if (name === 'sandbox-provider') return unless([spec.replicas === 1, 'has more than one, and one file']);
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find((each) => each.spec.scaleTargetRef.name === name);
  return unless(
    [(scaler?.spec.minReplicas ?? spec.replicas ?? 1) >= 2, 'has fewer than two replicas'],
    [scaler === undefined || spec.replicas === undefined, 'replicas are set beside an autoscaler'],
    [most(objects, deployment) <= PLACES, `may have more replicas than the balancer has places (${PLACES})`],
    [
      spec.strategy?.rollingUpdate?.maxUnavailable === 0 && spec.strategy.rollingUpdate.maxSurge === 1,
      'an update leaves fewer ready than before',
    ],
    ...besideIt(objects, name, spec.template.metadata.labels),
    ...spread(spec.template),
  );
}

/** Its Service and its budget. */
function besideIt(objects: readonly Resource[], name: string, labels: Labels): (readonly [boolean, string])[] {
  const service = named(objects, 'Service', name)?.spec;
  const budget = named(objects, 'PodDisruptionBudget', name)?.spec;
  return [
    [service?.clusterIP === 'None' && matches(asSelector(service.selector), labels), 'has no headless Service'],
    [service?.publishNotReadyAddresses === true, 'the balancer cannot see it before kubelet does'],
    [budget?.maxUnavailable === 1 && matches(budget.selector, labels), 'has no budget of one that may be away'],
    [budget?.unhealthyPodEvictionPolicy === 'AlwaysAllow', 'its budget refuses drains while none is ready'],
  ];
}

const asSelector = (labels: Resource['spec']['selector']): { matchLabels: Record<string, string> } => ({
  matchLabels: labels as unknown as Record<string, string>,
});

function spread({ metadata, spec }: Pod): (readonly [boolean, string])[] {
  const over = (key: string): boolean =>
    spec.topologySpreadConstraints?.some(
      ({ topologyKey, labelSelector }) => topologyKey === key && matches(labelSelector, metadata.labels),
    ) ?? false;
  return [
    [over('topology.kubernetes.io/zone'), 'is not spread over zones'],
    [over('kubernetes.io/hostname'), 'is not spread over hosts'],
  ];
}

/** The most of a process at one moment, an update under way. */
function most(objects: readonly Resource[], { metadata, spec }: Resource): number {
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
    (each) => each.spec.scaleTargetRef.name === metadata.name,
  );
  return (scaler?.spec.maxReplicas ?? spec.replicas ?? 1) + (spec.strategy?.rollingUpdate?.maxSurge ?? 0);
}

/** The value of a setting of docker-compose.yml that no `.env` changes. */
const inCompose = (value: unknown): string => String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

function itsSettings(objects: readonly Resource[], definition: ProcessDefinition): string[] {
  const env = environmentIn(objects, named(objects, 'Deployment', definition.name)!);
  const given = Object.entries(compose.services[definition.name]!.environment);
  const missing = given.filter(([name, value]) => !(name in env) || (env[name] === '' && inCompose(value) !== ''));
  const unfilled = Object.entries(env).filter(([, value]) => value.includes('$('));
  const { refusal } = settingsRead(objects, definition);
  return [
    ...missing.map(([name]) => `does not get ${name}`),
    ...unfilled.map(([name, value]) => `${name} is ${value}`),
    ...(refusal === undefined ? [] : [`does not start: ${refusal}`]),
  ];
}

function balancerFindings(objects: readonly Resource[]): string[] {
  const balancers = named(objects, 'StatefulSet', 'balancer');
  if (balancers === undefined) return ['StatefulSet balancer: is missing'];
  const ports = balancers.spec.template.spec.containers[0]!.ports?.map(({ containerPort }) => containerPort) ?? [];
  const served = named(objects, 'Service', 'balancer')?.spec.ports.map(({ port }) => port) ?? [];
  const peers = ['balancer-0', 'balancer-1'].filter((name) => {
    const service = named(objects, 'Service', name)?.spec;
    return service !== undefined && service.clusterIP !== 'None' && service.ports[0]?.port === 10_000;
  });
  return unless(
    [sameNumbers(ports, [...BINDS, 10_000]), 'StatefulSet balancer: its ports are not those of haproxy.cfg'],
    [
      sameNumbers(
        served,
        BINDS.filter((port) => port !== 9464),
      ),
      'Service balancer: its ports are not those of haproxy.cfg',
    ],
    [
      balancers.spec.replicas === 2 && peers.length === 2,
      'StatefulSet balancer: not each of two has a name that stays',
    ],
  );
}

const sameNumbers = (some: readonly number[], others: readonly number[]): boolean =>
  some.toSorted().join() === others.toSorted().join();

/** Connections of Postgres: all pools at their most, and ten for migrations, people and the operator. */
export function connectionFindings(objects: readonly Resource[]): string[] {
  const postgres = ofKind(objects, 'Cluster')[0]?.spec.postgresql;
  if (postgres === undefined) return [];
  const limit = Number(postgres.parameters['max_connections'] ?? 100);
  const deployments = expectedProcesses(objects)
    .filter(({ schema }) => schema !== undefined)
    .flatMap(({ name }) => named(objects, 'Deployment', name) ?? []);
  const pools = deployments.map(
    (each) => most(objects, each) * Number(environmentIn(objects, each)['DATABASE_POOL'] ?? 10),
  );
  const needed = pools.reduce((sum, each) => sum + each, 10);
  return needed < limit ? [] : [`Cluster postgres: ${needed} connections of ${limit} may be needed`];
}

/** No acknowledged write is lost with one server, and a backup is somewhere else. */
export function durabilityFindings(objects: readonly Resource[]): string[] {
  const cluster = ofKind(objects, 'Cluster')[0]?.spec;
  if (cluster === undefined) return [];
  const wanted = { method: 'any', number: 1, dataDurability: 'required', failoverQuorum: true };
  const given = cluster.postgresql.synchronous;
  const backups = ofKind(objects, 'ScheduledBackup').length * ofKind(objects, 'ObjectStore').length;
  return unless(
    [
      cluster.instances === 3 && Object.entries(wanted).every(([key, value]) => given[key] === value),
      'Cluster postgres: an acknowledged write may be on one server alone',
    ],
    [backups > 0, 'Cluster postgres: has no scheduled backup'],
  );
}

export function everyPod(objects: readonly Resource[]): readonly (readonly [string, Pod])[] {
  return workloads(objects).map(({ kind, metadata, spec }) => [`${kind} ${metadata.name}`, spec.template] as const);
}
