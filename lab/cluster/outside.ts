import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionOf, repositoryRoot } from '@payroll/infra/processes';
import { credentialsOf, generateSecrets, type Secrets } from '@payroll/infra/secrets';
import { startGuardian } from '@payroll/tools/local/guardian';
import { startPostgres } from '@payroll/tools/local/postgres';
import { BRIDGE, ip, makeBridge, OUTSIDE } from '../namespaces/network.js';
import { KUBECONFIG } from './control-plane.js';
import { ROOT } from './install.js';

const BALANCER = '10.96.0.100';

/** The bridge to which nodes are connected, and by which name the clients know the balancer. */
export function makeNetwork(home: string): void {
  makeBridge();
  // The range of Services: a packet needs a way before kube-proxy's rules give it another address.
  ip('route', 'add', '10.96.0.0/16', 'dev', BRIDGE);
  const hosts = join(home, 'etc-hosts');
  writeFileSync(hosts, `127.0.0.1 localhost\n${BALANCER} balancer\n`);
  execFileSync('mount', ['--bind', hosts, '/etc/hosts']);
}

/** One Postgres and the payout provider, which the nodes reach at the machine's address. */
export async function startOutside(home: string, cleanup: AsyncDisposableStack) {
  const secrets = generateSecrets();
  const guardian = cleanup.use(await startGuardian());
  const access = join(home, 'pg_hba.conf');
  writeFileSync(access, 'host all all all scram-sha-256\n');
  chmodSync(access, 0o644);
  const postgres = cleanup.use(
    await startPostgres({
      dataDir: join(home, 'postgres'),
      password: secrets.postgresPassword,
      durable: true,
      settings: { listen_addresses: '*', hba_file: access, max_connections: '300' },
      logFile: join(home, 'postgres.log'),
      guardian,
      report: () => undefined,
    }),
  );
  return { secrets, databaseUrl: postgres.url.replace(/postgres$/, 'payroll'), provider: startProvider(home, secrets) };
}

function startProvider(home: string, secrets: Secrets) {
  const definition = definitionOf('sandbox-provider');
  const log = openSync(join(home, 'provider.log'), 'a');
  const { host, port } = { host: OUTSIDE, port: definition.defaultPort };
  spawn(process.execPath, [join(repositoryRoot, definition.entry)], {
    stdio: ['ignore', log, log],
    env: {
      ...credentialsOf(definition, secrets),
      DEPLOYMENT: 'test',
      LISTEN_HOST: host,
      LISTEN_PORT: String(port),
      ALLOWED_HOSTS: host,
      CALLBACK_URL: 'http://balancer:4005/payouts/callbacks',
      ORDERS_FILE: join(home, 'orders.sqlite'),
    },
  });
  return { url: `http://${host}:${port}`, key: secrets.providerKey };
}

/** kube-proxy here too: a machine outside that has the cluster's Services, as a load balancer has. */
export function startDoor(home: string): void {
  const log = openSync(join(home, 'door.log'), 'a');
  // Otherwise a port whose connection was not answered is tied to that pod for two minutes, and with one address for all
  // callers ports are used again soon: some of their connections would go to a lost node long after the cluster knows it.
  execFileSync('sysctl', ['-qw', 'net.netfilter.nf_conntrack_tcp_timeout_syn_sent=5']);
  writeFileSync(join(ROOT, 'tmp/door'), KUBECONFIG);
  const script = `for folder in proc sys; do mount --rbind "/$folder" "$0/$folder"; done; exec chroot "$0" kube-proxy "$@"`;
  const options = [
    '--kubeconfig=/tmp/door',
    '--hostname-override=door',
    '--proxy-mode=iptables',
    '--oom-score-adj=0',
    '--cluster-cidr=10.244.0.0/16',
    '--iptables-min-sync-period=100ms',
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  ];
  spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, ROOT, ...options], {
    stdio: ['ignore', log, log],
  });
}
