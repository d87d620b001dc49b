import { BlockList } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { isService } from '@payroll/infra/secrets';
import {
  matches,
  named,
  ofKind,
  workloads,
  type Labels,
  type Peer,
  type Resource,
  type Rule,
} from '../support/kubernetes.js';
import { expectedProcesses, settingsRead } from './processes.js';

/** An end of a connection; those outside the cluster have an address. */
interface Place {
  readonly name: string;
  readonly labels: Labels;
  /** Labels of its namespace, where that is another one. */
  readonly namespace?: Labels;
  readonly address?: string;
  readonly ports?: Readonly<Record<string, number>>;
}

const OUTSIDE: readonly Place[] = [
  { name: 'doors', labels: {}, namespace: { 'payroll/doors': 'yes' } },
  { name: 'monitoring', labels: {}, namespace: { 'payroll/monitoring': 'yes' } },
  { name: 'cnpg-operator', labels: {}, namespace: { 'kubernetes.io/metadata.name': 'cnpg-system' } },
  { name: 'dns', labels: { 'k8s-app': 'kube-dns' }, namespace: { 'kubernetes.io/metadata.name': 'kube-system' } },
  { name: 'another-namespace', labels: { 'app.kubernetes.io/name': 'balancer' }, namespace: {} },
  { name: 'internet', labels: {}, address: '203.0.113.1' },
  { name: 'private-network', labels: {}, address: '10.1.2.3' },
];
/** Policies apply only inside the namespace. */
const isOutside = (name: string): boolean => OUTSIDE.some((place) => place.name === name);

export function networkFindings(objects: readonly Resource[]): string[] {
  const expected = new Set(connectionsOf(objects));
  const allowed = new Set(allowedBy(objects));
  return [
    ...[...expected].filter((each) => !allowed.has(each)).map((each) => `NetworkPolicy: does not allow ${each}`),
    ...[...allowed]
      .filter((each) => !expected.has(each))
      .map((each) => `NetworkPolicy: allows ${each}, which no process needs`),
  ];
}

/** Every connection there is, as `from -> to:port`: by the addresses that processes read, haproxy.cfg and the routes. */
function connectionsOf(objects: readonly Resource[]): string[] {
  const places = placesOf(objects);
  const running = expectedProcesses(objects).filter(({ name }) => named(objects, 'Deployment', name));
  const has = (name: string): boolean => places.some((place) => place.name === name);
  const lines: string[] = places.map(({ name }) => `${name} -> dns:53`);
  for (const definition of running) lines.push(...callsOf(objects, definition));
  const names = running.map(({ name }) => name as string);
  for (const [, to = '', port, check] of balancer.matchAll(
    /server-template \w+ \d+ "([\w-]+)\$\{.*\}:(\d+)"(?: port (\d+))?/g,
  ))
    if (names.includes(to)) lines.push(`balancer -> ${to}:${port}`, ...(check ? [`balancer -> ${to}:${check}`] : []));
  lines.push('balancer -> balancer:10000', 'migrate -> postgres:5432');
  for (const { spec } of ofKind(objects, 'HTTPRoute'))
    for (const { name, port } of spec.rules.flatMap((rule) => rule.backendRefs)) lines.push(`doors -> ${name}:${port}`);
  if (ofKind(objects, 'PodMonitor').length > 0)
    for (const name of [...names, 'balancer']) lines.push(`monitoring -> ${name}:9464`, `${name} -> monitoring:4318`);
  if (has('nats')) lines.push('nats -> nats:6222');
  if (has('postgres')) lines.push(...OF_POSTGRES);
  // Documents of assistants' hosts, keys of an issuer, and mail, wherever its server is.
  lines.push('workspaces -> internet:443', ...MAIL);
  return lines.filter((line) => !line.startsWith('balancer -> monitoring'));
}

const OF_POSTGRES = [
  ...['postgres', 'cnpg-operator'].flatMap((from) => [`${from} -> postgres:5432`, `${from} -> postgres:8000`]),
  // The API server and the object store, which have no label: any that is not in this namespace.
  ...OUTSIDE.flatMap(({ name }) => [`postgres -> ${name}:443`, `postgres -> ${name}:6443`]),
];
const MAIL = ['internet', 'private-network'].flatMap((to) => [`workspaces -> ${to}:465`, `workspaces -> ${to}:587`]);

/** Addresses that a process gives to others. */
const HANDED_OUT = new Set(['APP_URL', 'MCP_URL', 'GUIDE_URL', 'PUBLIC_URL']);

/** The calls of a process, by the addresses among the settings that it reads. */
function callsOf(objects: readonly Resource[], definition: ReturnType<typeof expectedProcesses>[number]): string[] {
  const { name } = definition;
  return Object.entries(settingsRead(objects, definition).read).flatMap(([variable, value]) => {
    if (!/_URL$|ENDPOINT$/.test(variable) || !value || HANDED_OUT.has(variable)) return [];
    if (variable === 'REST_URL' && isService(name)) return [];
    if (variable === 'CALLBACK_URL' && name === 'payments') return [];
    if (['SMTP_URL', 'EXTERNAL_JWKS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'].includes(variable)) return [];
    const { hostname, port, protocol } = new URL(value);
    if (hostname.includes('.')) return [`${name} -> internet:${port || (protocol === 'https:' ? 443 : 80)}`];
    return [`${name} -> ${hostname.replace(/^postgres-rw$/, 'postgres')}:${port}`];
  });
}

const balancer = readFileSync(join(repositoryRoot, 'infra/balancer/haproxy.cfg'), 'utf8');

function placesOf(objects: readonly Resource[]): Place[] {
  const ours = workloads(objects).map(({ metadata, spec: { template } }) => ({
    name: metadata.name,
    labels: template.metadata.labels,
    ports: Object.fromEntries(
      template.spec.containers.flatMap(({ ports = [] }) =>
        ports.map(({ name, containerPort }) => [name, containerPort]),
      ),
    ),
  }));
  const postgres = ofKind(objects, 'Cluster').map(({ metadata }) => ({
    name: metadata.name,
    labels: { 'cnpg.io/cluster': metadata.name },
    ports: { postgres: 5432, status: 8000 },
  }));
  return [...ours, ...postgres];
}

function allowedBy(objects: readonly Resource[]): string[] {
  const policies = ofKind(objects, 'NetworkPolicy');
  const ours = placesOf(objects);
  const everyone = [...ours, ...OUTSIDE];
  // All ports of policies and containers, and one that is in neither.
  const numbers = policies
    .flatMap(({ spec }) => [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    .flatMap(({ ports = [] }) => ports.flatMap(({ port, endPort }) => [port, endPort ?? port]))
    .filter((port) => typeof port === 'number');
  const ports = new Set([...numbers, ...ours.flatMap((place) => Object.values(place.ports ?? {})), 31_337]);
  const rules = new Map(everyone.map((place) => [place, rulesOf(policies, place)]));
  return everyone.flatMap((from) =>
    everyone.flatMap((to) => {
      if (isOutside(from.name) && isOutside(to.name)) return [];
      const sent = rules.get(from)!.Egress?.filter((rule) => isPeer(rule.to, to));
      const taken = rules.get(to)!.Ingress?.filter((rule) => isPeer(rule.from, from));
      const passes = (some: readonly Rule[] | undefined, port: number): boolean =>
        some?.some((rule) => isPort(rule, to, port)) ?? true;
      // A pod that listens on no such port has nothing to reach.
      const listens = (port: number): boolean => isOutside(to.name) || Object.values(to.ports ?? {}).includes(port);
      return [...ports]
        .filter((port) => listens(port) && passes(sent, port) && passes(taken, port))
        .map((port) => `${from.name} -> ${to.name}:${port}`);
    }),
  );
}

/** Either null, where no policy applies and everything passes. */
interface Rules {
  readonly Ingress: readonly Rule[] | null;
  readonly Egress: readonly Rule[] | null;
}

function rulesOf(policies: readonly Resource[], place: Place): Rules {
  const of = (type: 'Ingress' | 'Egress'): readonly Rule[] | null => {
    const applying = policies.filter(
      ({ spec }) => spec.policyTypes.includes(type) && matches(spec.podSelector, place.labels),
    );
    if (isOutside(place.name) || applying.length === 0) return null;
    return applying.flatMap(({ spec }) => (type === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  };
  return { Ingress: of('Ingress'), Egress: of('Egress') };
}

const isPort = ({ ports }: Rule, to: Place, port: number): boolean =>
  ports === undefined ||
  ports.some(({ port: first, endPort }) => {
    const number = typeof first === 'number' ? first : to.ports?.[first];
    return number !== undefined && port >= number && port <= (endPort ?? number);
  });

function isPeer(peers: readonly Peer[] | undefined, place: Place): boolean {
  if (peers === undefined) return true;
  return peers.some(({ podSelector = {}, namespaceSelector, ipBlock }) => {
    if (ipBlock !== undefined) return place.address !== undefined && isWithin(ipBlock, place.address);
    if (place.address !== undefined) return false;
    const isThere = namespaceSelector ? matches(namespaceSelector, place.namespace ?? {}) : !place.namespace;
    return isThere && matches(podSelector, place.labels);
  });
}

function isWithin({ cidr, except = [] }: { cidr: string; except?: readonly string[] }, address: string): boolean {
  const covers = (range: string): boolean => {
    const [network = '', prefix] = range.split('/');
    const list = new BlockList();
    list.addSubnet(network, Number(prefix));
    return list.check(address);
  };
  return covers(cidr) && !except.some(covers);
}
