import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  environmentOf,
  hostEnvironment,
  processes,
  processNames,
  repositoryRoot,
  type PortName,
} from '../processes.js';
import { generateSecrets } from '../secrets.js';
import { SERVICE_PORTS, SERVICES } from '@payroll/kernel';
import { serviceSchemas } from '../postgres/roles.js';
import { backupFiles } from './backups.js';
import { handOut } from './hand-out.js';
import { monitoringFiles, type MonitoringSettings } from './monitoring.js';

interface Service {
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly image: string;
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
}

interface ComposeFile {
  readonly 'x-subgraphs': Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const file = parse(readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8'), {
  merge: true,
  maxAliasCount: -1,
}) as ComposeFile;
const services = Object.entries(file.services);
const serviceOf = (name: string): Service => file.services[name]!;
const networksOf = ({ networks = [] }: Service): string[] =>
  Array.isArray(networks) ? [...(networks as string[])] : Object.keys(networks);
const secrets = generateSecrets();
const monitoring: MonitoringSettings = {
  publicUrls: [],
  postgres: { address: 'postgres:5432', hasTls: false },
  nats: { addresses: ['nats:4222'], hasTls: false },
  receivers: {},
};
const none = <Name extends string>(names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>;

test('uses no feature newer than compose 1.29', () => {
  const sections = Object.keys(file).filter((section) => !section.startsWith('x-'));
  expect(sections).toEqual(['services', 'networks', 'volumes']);
  expect(JSON.stringify(file)).not.toMatch(/"(develop|start_interval|required|configs)":/);
});

test.each(services)(
  '%s has a read-only disk, a limit of memory and no privileges, and can gain none',
  (name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.mem_limit).toMatch(/^(?:\d+[mg]|\$\{(?:PROCESS|POSTGRES)_MEMORY:-\d+[mg]\})$/);
    if (service.user === 'root') expect([name, service.network_mode]).toEqual(['set-up', 'none']);
  },
);

test('every image is a setting, which can name a digest, or has an exact version', () => {
  for (const [name, { image }] of services) expect(image, name).toMatch(/^\$\{[A-Z_]+_IMAGE:-\S+\}$|:v?\d+\.\d+\.\d+$/);
});

/** `start.sh` as the container runs it, with an entrypoint of the image that prints what it is given. */
function startPostgres(memory: string) {
  const dir = mkdtempSync(join(tmpdir(), 'start-postgres-'));
  writeFileSync(join(dir, 'docker-entrypoint.sh'), '#!/bin/sh\nprintf "%s " "$@"\n', { mode: 0o755 });
  const env = { PATH: `${dir}:${process.env['PATH']}`, POSTGRES_MEMORY: memory, PGDATA: join(dir, 'data') };
  const script = join(repositoryRoot, 'infra/postgres/start.sh');
  const { stdout, stderr, status } = spawnSync('sh', [script, 'postgres', '-c', 'x=1'], { env, encoding: 'utf8' });
  rmSync(dir, { recursive: true });
  return status === 0 ? stdout : stderr;
}

test('the sizes of Postgres follow from its limit of memory', () => {
  const { environment, mem_limit: limit } = serviceOf('postgres');
  expect(environment!['POSTGRES_MEMORY']).toBe(limit);
  expect(startPostgres('2g')).toBe(
    'postgres -c x=1 -c shared_buffers=512MB -c effective_cache_size=1280MB -c maintenance_work_mem=128MB -c max_wal_size=2048MB ',
  );
  expect(startPostgres('64g')).toContain('maintenance_work_mem=1024MB -c max_wal_size=16384MB');
  for (const wrong of ['', '2', '2gb', 'g', '100m']) expect(startPostgres(wrong)).toContain('POSTGRES_MEMORY is');
});

test('Postgres archives by the program that makes the backups, where those are', () => {
  const { command, volumes } = serviceOf('postgres');
  expect(command).toEqual(expect.arrayContaining(['archive_mode=on', 'archive_command=pgbackrest archive-push "%p"']));
  for (const mount of ['postgres:/var/lib/postgresql', '${BACKUPS_DIR:-backups}:/backups']) {
    expect(volumes).toContain(mount);
    expect(serviceOf('backups').volumes).toContain(mount);
  }
  const dockerfile = readFileSync(join(repositoryRoot, 'infra/postgres/Dockerfile'), 'utf8');
  expect(dockerfile).toContain('PGBACKREST_CONFIG_INCLUDE_PATH=/run/payroll');
  expect(serviceOf('backups').volumes).toContain('secrets-postgres:/run/payroll:ro');
});

test('only the balancer publishes ports publicly; the internal endpoint and monitoring are always on loopback', () => {
  const open = services.filter(([, { ports }]) => ports).map(([name]) => name);
  const watching = ['prometheus', 'alertmanager', 'grafana', 'traces'];
  expect(open.toSorted()).toEqual(['balancer', ...watching].toSorted());
  for (const name of watching) {
    expect(serviceOf(name).profiles).toEqual(['monitoring']);
    expect(serviceOf(name).ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(networksOf(serviceOf(name))).toEqual(['front']);
  }
  const published = serviceOf('balancer').ports!.map((port) => /^(.*):\$.*:(\d+)$/.exec(port)?.slice(1));
  const setting = '${PUBLISH_HOST:-127.0.0.1}';
  expect(published).toEqual([
    [setting, '4000'],
    [setting, '4002'],
    [setting, '4003'],
    [setting, '4005'],
    ['127.0.0.1', '4001'],
  ]);
});

test('only the processes can reach Postgres and NATS, not the balancer or the outside', () => {
  expect(file.networks['back']?.internal).toBe(true);
  expect(networksOf(serviceOf('nats'))).toEqual(['back']);
  // It leads to a repository of backups outside, so no other container may be in that network.
  const outside = services.filter(([, service]) => networksOf(service).includes('repository'));
  expect(outside.map(([name]) => name)).toEqual(['postgres', 'backups']);
  for (const [name, service] of outside) expect(networksOf(service), name).toEqual(['back', 'repository']);
  expect(networksOf(serviceOf('balancer'))).toEqual(['front']);
});

test('edges call each service at its port of the balancer', () => {
  const urls = Object.entries(SERVICE_PORTS).map(([name, port]) => [
    `${name.toUpperCase()}_URL`,
    `http://balancer:${port}/graphql`,
  ]);
  expect(Object.entries(file['x-subgraphs'])).toEqual(urls);
});

describe.each(processes)('$name', (definition) => {
  const service = serviceOf(definition.name);

  test('runs the same command as npm start, after the migrations', () => {
    expect(service.command).toEqual(['node', '--env-file=/run/payroll/environment', definition.entry]);
    expect(service.environment).toMatchObject({ LISTEN_PORT: definition.defaultPort });
    if (definition.name === 'sandbox-provider') return;
    expect(service.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(serviceOf('balancer').depends_on).toHaveProperty(definition.name);
  });

  test('gets every variable that npm start gives it, with secrets in a file that only it mounts', () => {
    const ports: readonly PortName[] = [...processNames, 'auth', 'pages', 'admission', 'callbacks'];
    const surroundings = {
      dir: '/nowhere',
      secrets,
      ports: Object.fromEntries(ports.map((name) => [name, 1])) as Record<PortName, number>,
      database: { ownerUrl: '', urls: none(serviceSchemas) },
      natsUrls: none(SERVICES),
    };
    // Only the processes of one machine give the explorer its token.
    const host = new Set(Object.keys(hostEnvironment()).concat('NODE_ENV', 'EXPLORER_STACK'));
    const expected = Object.keys(environmentOf(definition, surroundings)).filter((name) => !host.has(name));
    const handed = handOut(secrets).find(({ volume }) => volume === definition.name);
    const fromFile = Object.keys(parseEnv(handed?.content ?? ''));
    const fromCompose = Object.keys(service.environment ?? {});
    expect([...fromCompose, ...fromFile]).toEqual(expect.arrayContaining(expected));
    expect(fromCompose.filter((name) => fromFile.includes(name))).toEqual([]);
    expect(service.volumes).toContain(`secrets-${definition.name}:/run/payroll:ro`);
    expect(serviceOf('set-up').volumes).toContain(`secrets-${definition.name}:/volumes/${definition.name}`);
  });
});

test('the set-up fills every volume of secrets, and only its own containers mount it', () => {
  const handed = new Set(
    [...handOut(secrets), ...backupFiles({ key: '', retentionDays: 1 }), ...monitoringFiles(monitoring)].map(
      ({ volume }) => `secrets-${volume}`,
    ),
  );
  const declared = Object.keys(file.volumes).filter((volume) => volume.startsWith('secrets-'));
  expect(new Set(declared)).toEqual(handed);
  for (const volume of declared) {
    const users = services.filter(([, { volumes = [] }]) => volumes.some((each) => each.startsWith(`${volume}:`)));
    const own = volume.replace('secrets-', '');
    const others: Record<string, string[]> = { workspaces: ['operator', 'demo'], postgres: ['backups'] };
    expect(users.map(([name]) => name)).toEqual(['set-up', own, ...(others[own] ?? [])]);
  }
});
