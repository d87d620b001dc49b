import { spawn } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OUTSIDE } from '../namespaces/network.js';
import type { ControlPlane } from './control-plane.js';
import { ROOT } from './install.js';

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
