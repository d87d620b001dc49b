import { execFile, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OUTSIDE } from '../namespaces/host.js';
import { until } from '../until.js';
import { ROOT } from './install.js';

const TOKEN = 'only-in-the-lab';
const SERVER = `https://${OUTSIDE}:6443`;
/** kubectl's proxy, by which the lab reads without certificates. */
const PROXY_PORT = 8001;

export const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'lab', cluster: { server: SERVER, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'lab', user: { token: TOKEN } }],
  contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'lab' } }],
  'current-context': 'lab',
});

const program = (name: string): string =>
  join(ROOT, ['kubectl', 'etcd', 'iptables'].includes(name) ? 'usr/bin' : 'usr/local/bin', name);

export type ControlPlane = Awaited<ReturnType<typeof startControlPlane>>;

/** etcd, the API server, the controllers and the scheduler, one of each: its loss is not tried here. */
export async function startControlPlane(home: string) {
  const kubeconfig = join(home, 'kubeconfig');
  writeFileSync(kubeconfig, KUBECONFIG);
  writeFileSync(join(home, 'tokens.csv'), `${TOKEN},lab,lab,system:masters\n`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(home, 'accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const file = (name: string): string => join(home, name);
  const run = (name: string, options: Readonly<Record<string, string | number | boolean>>): void => {
    const log = openSync(file(`${name}.log`), 'a');
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
    spawn(program(name), args, { stdio: ['ignore', log, log] });
  };

  // In memory: the disk has other work, and nothing of it is kept.
  mkdirSync(file('etcd'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=0700', 'tmpfs', file('etcd')]);
  run('etcd', { 'data-dir': file('etcd'), 'heartbeat-interval': 500, 'election-timeout': 5_000 });
  run('kube-apiserver', {
    'etcd-servers': 'http://127.0.0.1:2379',
    'advertise-address': OUTSIDE,
    // For `kubectl logs`: nodes have no names here.
    'kubelet-preferred-address-types': 'InternalIP',
    'service-cluster-ip-range': '10.96.0.0/16',
    'cert-dir': file('certificates'),
    'token-auth-file': file('tokens.csv'),
    'service-account-issuer': SERVER,
    'service-account-signing-key-file': file('accounts.pem'),
    'service-account-key-file': file('accounts.pem'),
  });
  const kubectl = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program('kubectl'), [`--kubeconfig=${kubeconfig}`, ...args], {
      maxBuffer: 2 ** 26,
    });
    return stdout;
  };
  const isReady = () =>
    kubectl('get', '--raw', '/readyz').then(
      (said) => said === 'ok',
      () => false,
    );
  if (!(await until(isReady, { withinMs: 60_000 })))
    throw new Error(`the API server does not start: see ${file('kube-apiserver.log')}`);
  run('kube-controller-manager', {
    kubeconfig,
    'leader-elect': false,
    'service-account-private-key-file': file('accounts.pem'),
  });
  run('kube-scheduler', { kubeconfig, 'leader-elect': false });
  const log = openSync(file('proxy.log'), 'a');
  spawn(program('kubectl'), [`--kubeconfig=${kubeconfig}`, 'proxy', `--port=${PROXY_PORT}`], {
    stdio: ['ignore', log, log],
  });

  return {
    kubectl,
    nodesReady: async (count: number): Promise<void> => {
      while ((await kubectl('get', 'nodes', '-o', 'name')).trim().split('\n').length < count) await pause(500);
      await kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=5m');
    },
    /** Its objects of a kind, such as `api/v1/…/pods`. */
    list: async <Item>(path: string): Promise<Item[]> => {
      const answer = await fetch(`http://127.0.0.1:${PROXY_PORT}/${path}`, { signal: AbortSignal.timeout(5_000) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return ((await answer.json()) as { items: Item[] }).items;
    },
    apply: (objects: readonly object[], ...args: string[]): void => {
      // kubectl would refuse fields that are newer than this version; the server leaves them out.
      execFileSync(
        program('kubectl'),
        [`--kubeconfig=${kubeconfig}`, 'apply', '--validate=false', '-f', '-', ...args],
        {
          input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
          stdio: ['pipe', log, log],
        },
      );
    },
  };
}

export interface Endpoints {
  metadata: { name: string; namespace: string };
  subsets?: { addresses?: Address[]; notReadyAddresses?: Address[] }[];
}

interface Address {
  ip: string;
  hostname?: string;
}

export interface Service {
  metadata: { name: string; namespace: string };
  spec: { clusterIP: string; publishNotReadyAddresses?: boolean };
}

const POLL_MS = 500;

/** dnsmasq in place of CoreDNS, which Debian does not have: the same answers, at most half a second later. */
export async function startDns(home: string, { list }: ControlPlane): Promise<void> {
  const hosts = join(ROOT, 'tmp/hosts');
  const log = openSync(join(home, 'dnsmasq.log'), 'a');
  const answers = async (): Promise<string> =>
    hostLines(await list<Service>('api/v1/services'), await list<Endpoints>('api/v1/endpoints'));
  let known = await answers();
  writeFileSync(hosts, known);
  const options = [
    '--keep-in-foreground',
    '--user=root',
    '--pid-file',
    '--no-resolv',
    '--no-hosts',
    '--bind-interfaces',
  ];
  const own = ['--addn-hosts=/tmp/hosts', '--local=/cluster.local/', `--listen-address=${OUTSIDE}`];
  const server = spawn('chroot', [ROOT, 'dnsmasq', ...options, ...own], { stdio: ['ignore', log, log] });
  void (async () => {
    for (;;) {
      await pause(POLL_MS);
      // Keeps the last answers while the API server is away.
      const lines = await answers().catch(() => known);
      if (lines === known) continue;
      writeFileSync(hosts, lines);
      known = lines;
      server.kill('SIGHUP');
    }
  })();
}

/** A line of a hosts file for each address: a Service's own, or those of its pods where it has none. */
export function hostLines(services: readonly Service[], endpoints: readonly Endpoints[]): string {
  const lines = services.flatMap(({ metadata: { name, namespace }, spec }) => {
    const domain = `${name}.${namespace}.svc.cluster.local`;
    if (spec.clusterIP !== 'None') return [`${spec.clusterIP} ${domain}`];
    const own = endpoints.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    return (own?.subsets ?? [])
      .flatMap(({ addresses = [], notReadyAddresses = [] }) => [
        ...addresses,
        ...(spec.publishNotReadyAddresses ? notReadyAddresses : []),
      ])
      .map(({ ip, hostname }) => `${ip} ${domain}${hostname === undefined ? '' : ` ${hostname}.${domain}`}`);
  });
  return lines.toSorted().join('\n').concat('\n');
}
