import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '@payroll/infra/processes';

export type Labels = Readonly<Record<string, string>>;

interface Probe {
  httpGet?: { path: string; port: string };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { fieldRef?: Record<string, string>; configMapKeyRef?: KeyRef } }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
}

interface KeyRef {
  name: string;
  key: string;
}

export interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    initContainers?: Container[];
    securityContext?: Record<string, unknown>;
    automountServiceAccountToken?: boolean;
    topologySpreadConstraints?: { topologyKey: string; labelSelector: Selector }[];
    volumes?: {
      name: string;
      secret?: { secretName: string };
      projected?: { sources: { secret?: { name: string } }[] };
    }[];
  };
}

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number | string; endPort?: number }[];
}

/** As much of an object as the rules here look at; its schema is checked in full. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number; maxUnavailable?: number } };
    template: Pod;
    selector: Selector & Record<string, unknown>;
    clusterIP?: string;
    publishNotReadyAddresses?: boolean;
    ports: { name: string; port: number }[];
    maxUnavailable?: number;
    unhealthyPodEvictionPolicy?: string;
    maxReplicas: number;
    minReplicas: number;
    scaleTargetRef: { name: string };
    podSelector: Selector;
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
    rules: { backendRefs: { name: string; port: number }[] }[];
    imageName: string;
    secretName: string;
    instances: number;
    postgresql: { synchronous: Record<string, unknown>; parameters: Record<string, string> };
  };
}

export const render = (overlay: string): Resource[] => renderFolder(`infra/kubernetes/overlays/${overlay}`);

/** The objects of an overlay, as `kustomize build` prints them. */
export function renderFolder(path: string): Resource[] {
  const [command = '', ...args] = kustomize ?? [];
  const folder = join(repositoryRoot, path);
  const text = execFileSync(command, [...args, folder], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

/** Kustomize 5, by itself or in kubectl; Debian 12's kubectl has one without components. */
export const kustomize: readonly string[] | undefined = [
  { command: ['kustomize', 'build'], version: ['version'], isOld: /v[0-4]\./ },
  { command: ['kubectl', 'kustomize'], version: ['version', '--client'], isOld: /^(?![^]*Kustomize Version: v[5-9])/ },
].find(({ command: [name = ''], version, isOld }) => {
  try {
    return !isOld.test(execFileSync(name, version, { encoding: 'utf8' }));
  } catch {
    return false;
  }
})?.command;

export const named = (objects: readonly Resource[], kind: string, name: string): Resource | undefined =>
  objects.find((each) => each.kind === kind && each.metadata.name === name);

export const ofKind = (objects: readonly Resource[], kind: string): Resource[] =>
  objects.filter((each) => each.kind === kind);

/** Every object that runs our pods. */
export const workloads = (objects: readonly Resource[]): Resource[] =>
  objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));

export function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator === 'In') return values.includes(labels[key] ?? '');
      if (operator === 'NotIn') return !values.includes(labels[key] ?? '');
      throw new RangeError(`the operator ${operator} is not known here`);
    })
  );
}

/** A container's variables as kubelet makes them: only those of `env` that precede a variable are filled into it. */
export function environmentIn(objects: readonly Resource[], { spec }: Resource): Record<string, string> {
  const [container] = spec.template.spec.containers;
  const from = (name: string): Record<string, string> => named(objects, 'ConfigMap', name)?.data ?? {};
  const expandable: Record<string, string> = {};
  for (const { name, value = '', valueFrom } of container!.env ?? []) {
    const { configMapKeyRef: reference, fieldRef } = valueFrom ?? {};
    const label = /^metadata\.labels\['(.+)'\]$/.exec(fieldRef?.['fieldPath'] ?? '')?.[1];
    if (label !== undefined) expandable[name] = spec.template.metadata.labels[label] ?? '';
    else if (reference !== undefined) expandable[name] = from(reference.name)[reference.key] ?? '';
    else if (fieldRef !== undefined) expandable[name] = `<${fieldRef['fieldPath']}>`;
    else expandable[name] = expand(value, expandable);
  }
  const given = (container!.envFrom ?? []).map(({ configMapRef }) => from(configMapRef.name));
  const all = Object.entries(Object.assign({}, ...given, expandable) as Record<string, unknown>);
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

export const expand = (text: string, variables: Labels): string =>
  text.replaceAll(/\$\((\w+)\)/g, (reference, name: string) => variables[name] ?? reference);
