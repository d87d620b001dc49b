import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { until } from '../until.js';
import { makeBridge } from '../namespaces/host.js';
import { MACHINES, Machine, ROOT } from './machine.js';

const PASSWORD = 'only-in-the-lab';
/** The balancer's, which leads to the primary. */
export const ADMIN_URL = `postgres://postgres:${PASSWORD}@127.0.0.1:5432/postgres`;

const SERVERS = [1, 2, 3].map((n) => ({ name: `db${n}`, address: `10.0.0.${n}` }));
const CONSENSUS = [1, 2, 3].map((n) => ({ name: `etcd${n}`, address: `10.0.0.1${n}` }));

const LOOP_SECONDS = 7;

interface Member {
  name: string;
  role: string;
  state: string;
}

export type Rig = Awaited<ReturnType<typeof setUpRig>>;

/**
 * Three servers of Postgres under Patroni, three of etcd, and a balancer on loopback that leads to the primary alone. This
 * process is in a network, mount and process namespace of its own: the rig ends with it.
 */
export async function setUpRig({ isAsynchronous }: { isAsynchronous: boolean }) {
  rmSync(MACHINES, { recursive: true, force: true });
  mkdirSync(MACHINES, { recursive: true });
  makeBridge();
  const consensus = CONSENSUS.map((each) => new Machine(etcd(each)));
  const servers = SERVERS.map((each) => new Machine(patroni(each, isAsynchronous)));
  for (const machine of [...consensus, ...servers]) machine.start();
  startBalancer();

  const members = async (): Promise<Member[]> => {
    for (const { address } of servers) {
      const answer = await patroniAt<{ members: Member[] }>(address, 'cluster');
      if (answer?.ok) return answer.body.members;
    }
    return [];
  };
  const isWhole = async (): Promise<boolean> => {
    const standby = isAsynchronous ? 'replica' : 'quorum_standby';
    const all = (await members()).map(({ role, state }) => `${role} ${state}`).toSorted();
    if (all.join() !== ['leader running', `${standby} streaming`, `${standby} streaming`].toSorted().join())
      return false;
    const heard = await Promise.all(servers.map(({ address }) => heardFromEtcd(address)));
    if (heard.some((at) => Date.now() / 1_000 - at > 2 * LOOP_SECONDS)) return false;
    const healths = await Promise.all(consensus.map(({ address }) => isHealthy(address)));
    return healths.every(Boolean);
  };
  const rig = {
    consensus,
    /** The server that takes writes, and the others. */
    async roles(): Promise<{ primary: Machine; standbys: Machine[] }> {
      const leader = (await members()).find(({ role }) => role === 'leader');
      const primary = servers.find(({ name }) => name === leader?.name);
      if (primary === undefined) throw new Error('no server of Postgres is the primary');
      return { primary, standbys: servers.filter((each) => each !== primary) };
    },
    async switchOver(): Promise<void> {
      const { primary } = await rig.roles();
      await instruct(primary.address, 'switchover', { leader: primary.name });
    },
    /**
     * Promotes the standby that has received more, as an operator does: Patroni promotes none that it had to remove from the quorum.
     * It follows the instruction once the lease of the lost primary is over.
     */
    async promoteByHand(standbys: readonly Machine[]): Promise<void> {
      const received = await Promise.all(standbys.map(receivedBy));
      const newest = standbys[received.indexOf(Math.max(...received))]!;
      const promoting = instruct(newest.address, 'failover', { candidate: newest.name });
      // Patroni may stop waiting for the outcome before the lease is over.
      await Promise.race([promoting, rig.serves(newest)]);
    },
    /** Resolves when that server takes writes. */
    async serves({ address }: Machine): Promise<void> {
      await until(async () => (await patroniAt(address, 'primary'))?.ok, { everyMs: 250 });
    },
    /** Both standbys stream from the primary, and each server has just heard from etcd. */
    async whole(): Promise<void> {
      const isBack = await until(isWhole, { everyMs: 250, withinMs: 120_000 });
      if (!isBack) throw new Error(`the cluster does not recover: ${JSON.stringify(await members())}`);
    },
  };
  await rig.whole();
  await untilBalanced();
  return rig;
}

/** Null without an answer within a second. */
async function patroniAt<Body>(address: string, path: string): Promise<{ ok: boolean; body: Body } | null> {
  try {
    const answer = await fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(1_000) });
    return { ok: answer.ok, body: (await answer.json()) as Body };
  } catch {
    return null;
  }
}

/** Again if it refuses, as just after an outage of etcd. */
async function instruct(address: string, path: string, body: object): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`http://${address}:8008/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (answer.ok) return;
    if (tries === 10) throw new Error(`Patroni refuses the ${path}: ${answer.status} ${await answer.text()}`);
    await pause(1_000);
  }
}

/** Whether this server of etcd has a majority. */
async function isHealthy(address: string): Promise<boolean> {
  const answer = await fetch(`http://${address}:2379/health`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  return answer?.ok ?? false;
}

/** In seconds of the epoch. */
async function heardFromEtcd(address: string): Promise<number> {
  return (await patroniAt<{ dcs_last_seen: number }>(address, 'patroni'))?.body.dcs_last_seen ?? 0;
}

/** How much of the primary's log this standby has: the answer of its own Patroni, as etcd may not have heard from it yet. */
async function receivedBy({ address }: Machine): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const answer = await patroniAt<{ xlog?: { received_location?: number } }>(address, 'patroni');
    return answer?.body.xlog?.received_location;
  };
  return (await until(look, { everyMs: 250 }))!;
}

async function untilBalanced(): Promise<void> {
  const isBalanced = await until(
    async () => {
      const client = new Client({ connectionString: ADMIN_URL });
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      return isConnected;
    },
    { withinMs: 20_000 },
  );
  if (!isBalanced) throw new Error(`the balancer leads to no primary: ${ADMIN_URL}`);
}

function etcd({ name, address }: { name: string; address: string }) {
  const cluster = CONSENSUS.map((each) => `${each.name}=http://${each.address}:2380`).join(',');
  const options = {
    name,
    'data-dir': '/srv/data',
    'listen-client-urls': `http://${address}:2379`,
    'advertise-client-urls': `http://${address}:2379`,
    'listen-peer-urls': `http://${address}:2380`,
    'initial-advertise-peer-urls': `http://${address}:2380`,
    'initial-cluster': cluster,
    // By default a busy machine with a slow disk has no leader for seconds.
    'heartbeat-interval': 500,
    'election-timeout': 5_000,
  };
  const command = ['etcd', ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)];
  return { name, address, user: 'etcd', command, files: {} };
}

/** JSON is YAML. */
function patroni({ name, address }: { name: string; address: string }, isAsynchronous: boolean) {
  const account = (username: string) => ({ username, password: PASSWORD });
  const settings = {
    scope: 'payroll',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: CONSENSUS.map((each) => `${each.address}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: LOOP_SECONDS,
        retry_timeout: 5,
        failsafe_mode: true,
        ...(!isAsynchronous && {
          synchronous_mode: 'quorum',
          synchronous_mode_strict: true,
          synchronous_node_count: 1,
        }),
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 300, wal_keep_size: '1GB' },
        },
      },
      initdb: [
        'data-checksums',
        { encoding: 'UTF8' },
        { 'locale-provider': 'builtin' },
        { 'builtin-locale': 'C.UTF-8' },
        { locale: 'C' },
      ],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: '/srv/data',
      pgpass: '/srv/pgpass',
      bin_dir: '/usr/lib/postgresql/18/bin',
      authentication: { superuser: account('postgres'), replication: account('replicator') },
      parameters: { unix_socket_directories: '/srv', log_min_messages: 'warning' },
      pg_hba: [
        'local all all trust',
        'host all all all scram-sha-256',
        'host replication replicator all scram-sha-256',
      ],
    },
    watchdog: { mode: 'off' },
  };
  const command = ['patroni', '/srv/patroni.yml'];
  return { name, address, user: 'postgres', command, files: { 'patroni.yml': JSON.stringify(settings, null, 2) } };
}

/** A session that stays open on a server that is no longer the primary would wait for it, or be answered by a zombie. */
function startBalancer(): void {
  const servers = SERVERS.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`);
  const configuration = [
    'defaults',
    '  mode tcp',
    '  retries 1',
    '  timeout connect 2s',
    '  timeout check 1s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen postgres',
    '  bind 127.0.0.1:5432',
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ];
  writeFileSync(join(ROOT, 'srv', 'haproxy.cfg'), configuration.join('\n'));
  spawn('chroot', [ROOT, 'haproxy', '-db', '-f', '/srv/haproxy.cfg'], { stdio: 'ignore' });
}
