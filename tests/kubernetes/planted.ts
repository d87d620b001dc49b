import type { Container, Resource } from '../support/kubernetes.js';

/** One mistake in a rendered overlay, and what is said about it. */
interface Planted {
  readonly fault: string;
  readonly overlay: 'example' | 'cell';
  readonly plant: (find: (kind: string, name: string) => Resource, objects: Resource[]) => void;
  readonly finding: string;
}

const containerOf = (resource: Resource): Container => resource.spec.template.spec.containers[0]!;
const settingsIn = (find: (kind: string, name: string) => Resource): Record<string, string> =>
  find('ConfigMap', 'settings').data!;

export const PLANTED: readonly Planted[] = [
  {
    fault: 'a field with a typing error',
    overlay: 'example',
    plant: (find) => Object.assign(containerOf(find('Deployment', 'review')), { readynessProbe: {} }),
    finding: 'readynessProbe is not known',
  },
  {
    fault: 'a field that CloudNativePG does not have',
    overlay: 'cell',
    plant: (find) => Object.assign(find('Cluster', 'postgres').spec.postgresql.synchronous, { quorum: 2 }),
    finding: 'must NOT have additional properties {"additionalProperty":"quorum"}',
  },
  {
    fault: 'a number where a text belongs',
    overlay: 'example',
    plant: (find) => (settingsIn(find)['DRAIN_SECONDS'] = 5 as unknown as string),
    finding: 'data/DRAIN_SECONDS',
  },
  {
    fault: 'an API version that is gone',
    overlay: 'cell',
    plant: (find) => (find('HorizontalPodAutoscaler', 'review').apiVersion = 'autoscaling/v2beta3'),
    finding: 'there is no autoscaling/v2beta3',
  },
  {
    fault: 'a process without a Deployment',
    overlay: 'cell',
    plant: (_, objects) =>
      objects.splice(
        objects.findIndex(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'console'),
        1,
      ),
    finding: 'Deployment console: is missing',
  },
  {
    fault: 'a variable that is named before it is there',
    overlay: 'example',
    plant: (find) => containerOf(find('Deployment', 'review')).env!.reverse(),
    finding: 'DATABASE_URL is postgres://$(NAME)@',
  },
  {
    fault: 'a setting that compose gives and Kubernetes does not',
    overlay: 'cell',
    plant: (find) => delete settingsIn(find)['PAYEE_HOLD_HOURS'],
    finding: 'Deployment payments: does not get PAYEE_HOLD_HOURS',
  },
  {
    fault: 'a setting without the value that compose gives',
    overlay: 'example',
    plant: (find) => (settingsIn(find)['TRUSTED_PROXIES'] = ''),
    finding: 'Deployment rest-facade: does not get TRUSTED_PROXIES',
  },
  {
    fault: 'a cell whose name cannot be part of a key',
    overlay: 'cell',
    plant: (find) => (settingsIn(find)['CELL'] = 'EU-1'),
    finding: 'Deployment rest-facade: does not start: CELL is not valid',
  },
  {
    fault: "a live deployment's people sent to http",
    overlay: 'cell',
    plant: (find) => (settingsIn(find)['APP_URL'] = 'http://app.eu1.payroll.example'),
    finding: 'Deployment console: does not start',
  },
  {
    fault: 'a port that is not the one of the balancer',
    overlay: 'example',
    plant: (find) => (containerOf(find('Deployment', 'contracts')).ports![0]!.containerPort = 4016),
    finding: 'does not listen on 4012',
  },
  {
    fault: "another process's Secret",
    overlay: 'example',
    plant: (find) => (find('Deployment', 'mcp').spec.template.spec.volumes![0]!.secret!.secretName = 'workspaces'),
    finding: 'Deployment mcp: mounts the Secret of another process',
  },
  {
    fault: 'a Secret that is nowhere',
    overlay: 'example',
    plant: (find) => (find('Certificate', 'nats').spec.secretName = 'nats-certificate'),
    finding: 'nothing makes the Secret nats-tls',
  },
  {
    fault: 'a Secret by subPath',
    overlay: 'example',
    plant: (find) => (containerOf(find('Deployment', 'review')).volumeMounts![0]!.subPath = 'environment'),
    finding: 'mounts a subPath',
  },
  {
    fault: 'a liveness that asks the database',
    overlay: 'example',
    plant: (find) => (containerOf(find('Deployment', 'review')).livenessProbe!.httpGet!.path = '/readyz'),
    finding: 'its liveness asks more than the event loop',
  },
  {
    fault: 'a budget that refuses drains in an outage',
    overlay: 'example',
    plant: (find) => delete find('PodDisruptionBudget', 'review').spec.unhealthyPodEvictionPolicy,
    finding: 'its budget refuses drains',
  },
  {
    fault: 'a Service whose selector finds no pod',
    overlay: 'example',
    plant: (find) => Object.assign(find('Service', 'review').spec.selector, { 'app.kubernetes.io/name': 'reviews' }),
    finding: 'Deployment review: has no headless Service',
  },
  {
    fault: 'all replicas on one node',
    overlay: 'example',
    plant: (find) => delete find('Deployment', 'gateway').spec.template.spec.topologySpreadConstraints,
    finding: 'is not spread over hosts',
  },
  {
    fault: 'an update that stops one first',
    overlay: 'cell',
    plant: (find) => (find('Deployment', 'review').spec.strategy!.rollingUpdate!.maxUnavailable = 1),
    finding: 'an update leaves fewer ready',
  },
  {
    fault: 'more replicas than Postgres has connections',
    overlay: 'cell',
    plant: (find) => (find('HorizontalPodAutoscaler', 'contracts').spec.maxReplicas = 9),
    finding: 'connections of 300 may be needed',
  },
  {
    fault: 'more replicas than the balancer knows',
    overlay: 'cell',
    plant: (find) => (find('HorizontalPodAutoscaler', 'console').spec.maxReplicas = 10),
    finding: 'may have more replicas than the balancer has places (10)',
  },
  {
    fault: 'durability that gives way',
    overlay: 'cell',
    plant: (find) => (find('Cluster', 'postgres').spec.postgresql.synchronous['dataDurability'] = 'preferred'),
    finding: 'an acknowledged write may be on one server alone',
  },
  {
    fault: 'a container that may write',
    overlay: 'example',
    plant: (find) => delete containerOf(find('StatefulSet', 'nats')).securityContext!['readOnlyRootFilesystem'],
    finding: "nats may write its image's files",
  },
  {
    fault: 'a pod as root',
    overlay: 'example',
    plant: (find) => delete find('Job', 'migrate').spec.template.spec.securityContext!['runAsNonRoot'],
    finding: 'Job migrate: may run as root',
  },
  {
    fault: 'a container without a limit of memory',
    overlay: 'example',
    plant: (find) => delete containerOf(find('Deployment', 'mcp')).resources!.limits,
    finding: 'has no limit of memory',
  },
  {
    fault: 'an image by tag',
    overlay: 'example',
    plant: (find) => (containerOf(find('Deployment', 'mcp')).image = 'registry.example/payroll:1.2'),
    finding: 'the image of process has no digest',
  },
  {
    fault: 'a secret in a ConfigMap',
    overlay: 'cell',
    plant: (find) => (settingsIn(find)['SMTP_PASSWORD'] = 'hunter2'),
    finding: 'has the secret SMTP_PASSWORD',
  },
  {
    fault: 'a password in an address',
    overlay: 'cell',
    plant: (find) => (settingsIn(find)['SMTP_URL'] = 'smtps://payroll:hunter2@mail.example'),
    finding: 'has the secret SMTP_URL',
  },
  {
    fault: 'an edge that may call Postgres',
    overlay: 'example',
    plant: (find) => (find('Deployment', 'mcp').spec.template.metadata.labels['payroll/calls-postgres'] = 'yes'),
    finding: 'allows mcp -> postgres:5432, which no process needs',
  },
  {
    fault: 'a process that any pod may call, claiming to be the balancer',
    overlay: 'example',
    plant: (find) => delete find('NetworkPolicy', 'rest-facade').spec.ingress![0]!.from,
    finding: 'allows another-namespace -> rest-facade:4000, which no process needs',
  },
  {
    fault: 'the internal endpoint on the internet',
    overlay: 'example',
    plant: (find) => find('NetworkPolicy', 'from-doors').spec.ingress![0]!.ports!.push({ port: 4001 }),
    finding: 'allows doors -> balancer:4001, which no process needs',
  },
  {
    fault: 'a way to a service that is not open',
    overlay: 'cell',
    plant: (find) => delete find('Deployment', 'console').spec.template.metadata.labels['payroll/calls-services'],
    finding: 'does not allow console -> balancer:4013',
  },
  {
    fault: 'a way to the network of the cloud',
    overlay: 'cell',
    plant: (find) => delete find('NetworkPolicy', 'payments-to-provider').spec.egress![0]!.to![0]!.ipBlock!.except,
    finding: 'allows payments -> private-network:443, which no process needs',
  },
];
