import { processes } from '@payroll/infra/processes';
import { credentialsOf, generateSecrets } from '@payroll/infra/secrets';
import { kubernetesSecrets } from '@payroll/infra/kubernetes/secrets';
import { ofKind, type Container, type Pod, type Resource } from '../support/kubernetes.js';
import { everyPod } from './processes.js';

const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Names of variables that hold secrets. */
const SECRET_NAMES = new Set(
  processes.flatMap((definition) => Object.keys(credentialsOf(definition, generateSecrets()))),
);

export function safetyFindings(objects: readonly Resource[]): string[] {
  return [
    ...everyPod(objects).flatMap(([where, pod]) => podFindings(pod).map((finding) => `${where}: ${finding}`)),
    ...ofKind(objects, 'Cluster')
      .filter(({ spec }) => !isDigest(spec.imageName))
      .map(() => 'Cluster postgres: its image has no digest'),
    ...secretsInTheClear(objects),
    ...secretsOfNobody(objects),
    ...namespaceFindings(objects),
  ];
}

const isDigest = (image: string): boolean => /@sha256:[0-9a-f]{64}$/.test(image);

/** The restricted Pod Security Standard, and what else holds for every pod. */
function podFindings({ spec }: Pod): string[] {
  const { securityContext: of = {}, volumes = [] } = spec;
  const spots = spec as unknown as Record<string, unknown>;
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const strange = volumes.flatMap((volume) =>
    Object.keys(volume).filter((key) => key !== 'name' && !VOLUMES.includes(key)),
  );
  return [
    ...(of['runAsNonRoot'] === true && of['runAsUser'] !== 0 ? [] : ['may run as root']),
    ...((of['seccompProfile'] as { type?: string } | undefined)?.type === 'RuntimeDefault'
      ? []
      : ['has no seccomp profile']),
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spots[name] === true).map((name) => `has ${name}`),
    ...strange.map((kind) => `has a volume of the kind ${kind}`),
    ...(spec.automountServiceAccountToken === false ? [] : ['has a token for the API server']),
    ...containers.flatMap((container) => containerFindings(container)),
  ];
}

function containerFindings(container: Container): string[] {
  const { name, image, resources: { requests = {}, limits = {} } = {}, volumeMounts = [], ports = [] } = container;
  const rules: [boolean, string][] = [
    [isDigest(image), `the image of ${name} has no digest`],
    ['cpu' in requests && 'memory' in requests, `${name} requests nothing`],
    ['memory' in limits, `${name} has no limit of memory`],
    [!('cpu' in limits), `${name} is throttled`],
    [volumeMounts.every(({ subPath }) => subPath === undefined), `${name} mounts a subPath, which never changes`],
    [ports.every((port) => !('hostPort' in port)), `${name} has a port of the host`],
    ...privileges(container),
  ];
  return rules.filter(([holds]) => !holds).map(([, finding]) => finding);
}

function privileges({ name, securityContext: given = {} }: Container): [boolean, string][] {
  const capabilities = given['capabilities'] as { drop?: string[]; add?: string[] } | undefined;
  return [
    [given['allowPrivilegeEscalation'] === false && given['privileged'] !== true, `${name} may gain privileges`],
    [given['runAsUser'] !== 0 && given['runAsNonRoot'] !== false, `${name} runs as root`],
    [given['readOnlyRootFilesystem'] === true, `${name} may write its image's files`],
    [capabilities?.drop?.includes('ALL') === true && !capabilities.add, `${name} has capabilities`],
  ];
}

/** Everyone who may look at a deployment sees its ConfigMaps and variables. */
function secretsInTheClear(objects: readonly Resource[]): string[] {
  const named = (where: string, variables: Readonly<Record<string, string>>): string[] =>
    Object.entries(variables)
      .filter(
        ([name, value]) =>
          SECRET_NAMES.has(name) || /:\/\/[^/\s:@]*:[^/\s@]+@/.test(value) || /PRIVATE KEY/.test(value),
      )
      .map(([name]) => `${where}: has the secret ${name}`);
  const variablesOf = (container: Container): Record<string, string> =>
    Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value]));
  return [
    ...ofKind(objects, 'ConfigMap').flatMap(({ metadata, data = {} }) => named(`ConfigMap ${metadata.name}`, data)),
    ...everyPod(objects).flatMap(([where, { spec }]) =>
      spec.containers.flatMap((each) => named(where, variablesOf(each))),
    ),
    ...ofKind(objects, 'Secret').map(({ metadata }) => `Secret ${metadata.name}: is in the repository`),
  ];
}

/** A pod does not start without its Secrets. */
function secretsOfNobody(objects: readonly Resource[]): string[] {
  const made = new Set([
    ...kubernetesSecrets(generateSecrets()).map(({ metadata }) => metadata.name),
    ...ofKind(objects, 'Certificate').map(({ spec }) => spec.secretName),
    // CloudNativePG makes it for its clients.
    ...ofKind(objects, 'Cluster').map(({ metadata }) => `${metadata.name}-ca`),
  ]);
  return everyPod(objects).flatMap(([where, { spec }]) =>
    (spec.volumes ?? []).flatMap(({ secret, projected }) =>
      [secret?.secretName, ...(projected?.sources ?? []).map((source) => source.secret?.name)]
        .filter((name) => name !== undefined && !made.has(name))
        .map((name) => `${where}: nothing makes the Secret ${name}`),
    ),
  );
}

function namespaceFindings(objects: readonly Resource[]): string[] {
  const [namespace] = ofKind(objects, 'Namespace');
  const isRestricted = namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted';
  const outside = objects.filter(
    ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== namespace?.metadata.name,
  );
  return [
    ...(isRestricted ? [] : ['Namespace: does not enforce restricted pods']),
    ...outside.map(({ kind, metadata }) => `${kind} ${metadata.name}: is in another namespace`),
  ];
}
