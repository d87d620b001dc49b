import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { definitionOf, repositoryRoot } from '@payroll/infra/processes';
import { type Secrets, credentialsOf, generateSecrets } from '@payroll/infra/secrets';
import { startGuardian } from '@payroll/tools/local/guardian';
import { startPostgres } from '@payroll/tools/local/postgres';
import { BRIDGE, Host, OUTSIDE, ip, makeBridge } from '../namespaces/host.js';
import { ROOT } from './install.js';
import { KUBECONFIG } from './control-plane.js';

const CGROUPS = '/sys/fs/cgroup';

export const NODES = [1, 2, 3].map((n) => ({
  name: `node${n}`,
  address: `10.0.0.${n}`,
  pods: `10.244.${n}.0/24`,
  zone: `zone-${n}`,
}));

/** A machine of the cluster. */
export class Node extends Host {
  constructor(
    private readonly spec: (typeof NODES)[number],
    private readonly home: string,
  ) {
    const { name, address, pods } = spec;
    super(name, address);
    ip('-n', name, 'route', 'add', 'default', 'via', OUTSIDE);
    for (const other of NODES.filter((each) => each !== spec))
      ip('-n', name, 'route', 'add', other.pods, 'via', other.address);
    ip('route', 'add', pods, 'via', address);
    execFileSync('nsenter', [`--net=/run/netns/${name}`, 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
    makeCgroups(`payroll-${name}`);
  }

  /** @param images the folder of the archives to import */
  start(images: string, kubeconfig: string): void {
    const { name, address, pods, zone } = this.spec;
    const files = {
      'etc/kubernetes/kubeconfig': kubeconfig,
      'etc/containerd/config.toml': CONTAINERD,
      'etc/cni/net.d/10-pods.conflist': JSON.stringify(network(pods)),
      'etc/resolv.conf': '',
    };
    for (const [file, content] of Object.entries(files)) {
      const path = join(this.home, 'files', file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    const script = join(repositoryRoot, 'lab/cluster/node.sh');
    const apart = ['unshare', '--mount', '--propagation', 'private', 'sh', script];
    // Not `ip netns exec`, which hides the cgroups.
    const log = join(this.home, 'node.log');
    spawn(
      'sh',
      [
        '-c',
        `exec "$@" >"${log}" 2>&1`,
        'sh',
        'nsenter',
        `--net=/run/netns/${name}`,
        ...apart,
        ...[ROOT, this.home, images, name, address, OUTSIDE, zone],
      ],
      { stdio: 'ignore' },
    );
  }
}

/** Kills the processes of a pod, as a machine without memory does; kubelet starts them again. */
export function killPod(uid: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isPause = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('catatonit');
      if (!isPause && readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(`pod${uid}`))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** kubelet expects its root of cgroups to exist; a new one of `cpuset` has no CPU. */
function makeCgroups(name: string): void {
  for (const hierarchy of readdirSync(CGROUPS)) {
    const folder = join(CGROUPS, hierarchy, name);
    const has = (file: string): boolean => existsSync(join(folder, file));
    mkdirSync(folder, { recursive: true });
    for (const file of ['cpuset.cpus', 'cpuset.mems'].filter(has))
      writeFileSync(join(folder, file), readFileSync(join(CGROUPS, hierarchy, file)));
    // Otherwise all processes of the node together count as one process of the host.
    if (has('cpu.shares')) writeFileSync(join(folder, 'cpu.shares'), '10240');
  }
}

/** Once every process in them has ended. */
export function removeCgroups(): void {
  const all = globSync(`${CGROUPS}/*/payroll-node*`);
  if (all.length > 0) execFileSync('find', [...all, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
}

/** Pods are routed, each by a pair of its own: with a bridge a node would need its firewall to see frames. */
function network(pods: string) {
  const addresses = { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }] };
  return { cniVersion: '0.4.0', name: 'pods', plugins: [{ type: 'ptp', ipMasq: false, ipam: addresses }] };
}

export const PAUSE = 'registry.example/pause:1';

/** Without CAP_SYS_RESOURCE no process may be protected from the kernel's choice when memory ends. */
const CONTAINERD = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
`;

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
export function startEntry(home: string): void {
  const log = openSync(join(home, 'entry.log'), 'a');
  // Otherwise a port whose connection was not answered is tied to that pod for two minutes, and with one address for all
  // callers ports are used again soon: some of their connections would go to a lost node long after the cluster knows it.
  execFileSync('sysctl', ['-qw', 'net.netfilter.nf_conntrack_tcp_timeout_syn_sent=5']);
  writeFileSync(join(ROOT, 'tmp/entry'), KUBECONFIG);
  const script = `for folder in proc sys; do mount --rbind "/$folder" "$0/$folder"; done; exec chroot "$0" kube-proxy "$@"`;
  const options = [
    '--kubeconfig=/tmp/entry',
    '--hostname-override=entry',
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
