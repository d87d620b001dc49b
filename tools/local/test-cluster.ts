import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordOf, SERVICES, type ServiceName } from '@payroll/kernel';
import { findNatsServer, natsSpec } from './nats.js';
import { findPort, releasePort } from './ports.js';
import { repositoryRoot } from '@payroll/infra/processes';
import { inTemporaryPlace } from './test-server.js';
import { Supervised, type SupervisorContext } from './supervisor.js';
import { renderNatsUsers } from '@payroll/infra/nats/config';

const run = promisify(execFile);
const NAMES = ['nats-1', 'nats-2', 'nats-3'] as const;

export type NatsCluster = Awaited<ReturnType<typeof startNatsCluster>>;

/**
 * Three servers with the `cluster.conf` that operators get: over TLS, with our users. Removed with the process that
 * started them.
 */
export function startNatsCluster() {
  return inTemporaryPlace(async ({ dir, guardian, report, secrets: { nats: passwords } }, started) => {
    await copyFile(join(repositoryRoot, 'infra/nats/cluster.conf'), join(dir, 'cluster.conf'));
    await writeFile(join(dir, 'users.conf'), renderNatsUsers(passwords), { mode: 0o600 });
    await makeCertificates(dir);

    const servers = await superviseServers(dir, { guardian, report });
    for (const { process } of servers) started.use(process);
    await Promise.all(servers.map(({ process }) => process.start()));
    const urlOf = (user: ServiceName, port: number): string => `tls://${user}:${passwords[user]}@localhost:${port}`;
    const urls = recordOf(SERVICES, (user) => servers.map(({ port }) => urlOf(user, port)).join(','));
    const caFile = join(dir, 'ca.pem');
    return { urls, caFile, server: (name: string) => servers.find(({ process }) => process.name === name)!.process };
  });
}

async function superviseServers(dir: string, context: SupervisorContext) {
  const command = await findNatsServer({ ...context, logFile: join(dir, 'nats.log') });
  const ports = await Promise.all(NAMES.map(() => findPort(0, 'free')));
  const routePorts = await Promise.all(NAMES.map(() => findPort(0, 'free')));
  [...ports, ...routePorts].forEach(releasePort);
  return NAMES.map((name, n) => {
    const port = ports[n]!;
    const env = {
      NATS_NAME: name,
      NATS_LISTEN: `127.0.0.1:${port}`,
      NATS_CLUSTER_LISTEN: `127.0.0.1:${routePorts[n]}`,
      NATS_ROUTES: `[${routePorts.map((each) => `nats://127.0.0.1:${each}`).join(', ')}]`,
      NATS_CERT_FILE: join(dir, 'server.pem'),
      NATS_KEY_FILE: join(dir, 'server.key'),
      NATS_CA_FILE: join(dir, 'ca.pem'),
    };
    const server = { name, command, args: ['-c', join(dir, 'cluster.conf')], env, logFile: join(dir, `${name}.log`) };
    return { process: new Supervised(natsSpec(server, port, name), context), port };
  });
}

/** A CA and one certificate that all servers share: the servers differ by port here. */
async function makeCertificates(dir: string): Promise<void> {
  const request = (name: string, ...more: string[]): Promise<unknown> => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', join(dir, `${name}.key`)];
    return run('openssl', ['req', '-x509', ...key, '-out', join(dir, `${name}.pem`), '-days', '2', ...more]);
  };
  await request('ca', '-subj', '/CN=authority');
  const by = ['-CA', join(dir, 'ca.pem'), '-CAkey', join(dir, 'ca.key')];
  await request('server', ...by, '-subj', '/CN=server', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1');
}
