import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordOf, SERVICES } from '@payroll/kernel';
import { completeSecrets, type SecretFiles } from '@payroll/infra/docker/hand-out';
import { renderNatsUsers } from '@payroll/infra/nats/config';
import { bootstrapRoles } from '@payroll/infra/postgres/bootstrap';
import { serviceSchemas } from '@payroll/infra/postgres/roles';
import { definitionOf, processes, type PortName, type ProcessName } from '@payroll/infra/processes';
import { inUse, rotated, ROTATION_STEPS } from '@payroll/infra/rotation';
import { credentialsOf, type Secrets } from '@payroll/infra/secrets';
import { accessTo, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { newPrincipal } from '@payroll/tools/demo/people';
import type { Submitted } from '@payroll/tools/demo/steps';
import { requireNats } from '@payroll/tools/local/nats';
import { findPort } from '@payroll/tools/local/ports';
import { describeLoad, SteadyLoad } from '@payroll/tools/operate/steady-load';
import { balancerConfig, freeBalancerPorts, haproxy, startHaproxy } from '../haproxy.js';
import { exchange, insist, type RawAnswer, type RawRequest } from '../integrator.js';
import { ownerOf } from '../owner.js';
import { activeContract, startSystem, submittedTimesheet, type System } from '../support.js';

/** As infra/maintenance/rotate-secrets.sh is called in docs/operations.md. */
const NAMES = ['database', 'nats', 'actor-keys', 'admission', 'confirmation-key'];
/** Actor tokens are valid for 15 s; this test has no review of an assistant open, which is valid longer. */
const SIGNED_FOR_MS = 15_000;

let system: System;
let balancer: ReadonlyMap<number, number>;
/** Every process twice, except the provider, whose books have one writer. */
const second = new Map<ProcessName, Awaited<ReturnType<System['stack']['another']>>>();
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem());
  const { stack } = system;
  balancer = await freeBalancerPorts();
  const secondPorts = new Map<PortName, number>();
  for (const name of ['pages', 'admission', 'callbacks'] as const) secondPorts.set(name, await findPort(0, 'free'));
  const listen = {
    AUTH_LISTEN_PORT: String(secondPorts.get('pages')),
    ADMISSION_LISTEN_PORT: String(secondPorts.get('admission')),
    CALLBACK_LISTEN_PORT: String(secondPorts.get('callbacks')),
  };
  for (const { name } of processes.filter((each) => each.name !== 'sandbox-provider')) {
    listens.set(name, { ...listen, ...throughBalancer() });
    const other = started.use(await stack.another(name, listens.get(name)));
    second.set(name, other);
    secondPorts.set(name, Number(new URL(other.url).port));
  }
  const config = balancerConfig(balancer, (process, port) => {
    const name = PORT_NAMES.get(port) ?? (process as ProcessName);
    return [stack.ports, Object.fromEntries(secondPorts)].map((ports) => ({
      port: ports[name]!,
      healthPort: ports[process as ProcessName]!,
    }));
  });
  started.use(startHaproxy(join(stack.dir, 'haproxy.cfg'), config));
  await replaceAll(stack.secrets);
});

afterAll(async () => await started.disposeAsync());

/** The ports of a process that are not those of its own name. */
const PORT_NAMES: ReadonlyMap<number, PortName> = new Map([
  [4002, 'pages'],
  [4005, 'callbacks'],
  [4010, 'admission'],
]);

const listens = new Map<ProcessName, Record<string, string>>();

/** The addresses of services, as docker-compose.yml has them. */
function throughBalancer(): Record<string, string> {
  const at = (port: number): string => `http://127.0.0.1:${balancer.get(port)}`;
  const subgraphs = SERVICES.map((name) => [
    `${name.toUpperCase()}_URL`,
    `${at(definitionOf(name).defaultPort)}/graphql`,
  ]);
  return { ...Object.fromEntries(subgraphs), ADMISSION_URL: at(4010), REST_URL: `${at(4000)}/v1` };
}

const withoutPassword = (url: string): string => Object.assign(new URL(url), { password: '' }).href;

/** Restarts all processes with these secrets, one after the other, as upgrade.sh does. */
async function replaceAll(secrets: Secrets): Promise<void> {
  const { stack } = system;
  for (const { name, schema, isEdge } of processes) {
    const { DATABASE_URL, NATS_URL } = stack.environmentOf(name);
    const changed = {
      ...(isEdge && throughBalancer()),
      ...credentialsOf({ name, ...(schema && { schema }) }, secrets),
      ...(DATABASE_URL !== undefined && { DATABASE_URL: withoutPassword(DATABASE_URL) }),
      ...(NATS_URL !== undefined && { NATS_URL: withoutPassword(NATS_URL) }),
    };
    await second.get(name)?.restart({ ...listens.get(name), ...changed });
    // Longer than the balancer takes to notice, which checks a process that has failed every 300 ms.
    await pause(1_000);
    await stack.stop(name);
    await stack.start(name, changed);
    await pause(1_000);
  }
}

/** As upgrade.sh does before it replaces processes: the servers learn the passwords in use. */
async function tellServers({ database, nats }: Secrets): Promise<void> {
  const { stack } = system;
  await bootstrapRoles(stack.database.adminUrl, {
    owner: inUse(database.owner),
    monitor: inUse(database.monitor),
    services: recordOf(serviceSchemas, (schema) => inUse(database.services[schema])),
  });
  const file = join(stack.dir, 'nats', 'nats.conf');
  const config = readFileSync(file, 'utf8').replace(/authorization \{[^]*$/, () => renderNatsUsers(nats));
  writeFileSync(file, config);
  process.kill(stack.nats.pid!, 'SIGHUP');
}

/** Secrets as an operator's files: name → content. */
function filesOf(secrets: object, prefix = ''): [string, string][] {
  return Object.entries(secrets).flatMap(([key, value]: [string, string | object]) => {
    const name = prefix + key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return typeof value === 'string' ? [[name, value]] : filesOf(value, `${name}.`);
  });
}

/** Reads, submissions and approvals through the balancer; each is repeated while its answer says to. */
class Callers {
  readonly approved = new Map<string, string>();
  retried = 0;
  private readonly submitted: Submitted[] = [];

  constructor(
    private readonly key: string,
    private readonly access: GraphqlAccess,
    private readonly contractId: string,
  ) {}

  readonly send = async (n: number): Promise<string | null> => {
    if (n % 4 === 0) return await this.submit();
    const work = n % 4 === 2 ? this.submitted.shift() : undefined;
    if (work !== undefined) return await this.approve(work);
    return problemOf(await this.insist('/timesheets?limit=10', {}));
  };

  private async submit(): Promise<null> {
    this.submitted.push(await submittedTimesheet(this.access, this.contractId));
    return null;
  }

  private async approve({ id, version }: Submitted): Promise<string | null> {
    const request = { method: 'POST', body: { expectedVersion: version }, idempotencyKey: randomUUID() } as const;
    const answer = await this.insist(`/timesheets/${id}/approve`, request);
    if (answer.status === 200) this.approved.set(id, (JSON.parse(answer.text) as { paymentId: string }).paymentId);
    return problemOf(answer);
  }

  private insist(path: string, request: Omit<RawRequest, 'key'>): Promise<RawAnswer> {
    const url = `http://127.0.0.1:${balancer.get(4000)}/v1${path}`;
    const send = (): Promise<RawAnswer> => exchange(url, { key: this.key, ...request });
    return insist(send, () => void (this.retried += 1));
  }
}

const problemOf = ({ status, text }: RawAnswer): string | null => (status === 200 ? null : `${status} ${text}`);

it.skipIf(haproxy === undefined)(
  'every password, key and secret that can be rotated is rotated under load: no request fails, each approval is paid once',
  { timeout: 600_000 },
  async () => {
    const { stack } = system;
    await using owner = await ownerOf(system);
    const { secret, principalId } = await newPrincipal(system.access());
    await owner.liftLimits(principalId);
    const contractId = await activeContract(system.access());
    const { url: _, ...graphql } = stack.file.graphql;
    const access = accessTo(
      { ...graphql, url: `http://127.0.0.1:${balancer.get(4001)}/graphql` },
      system.workspaces[0].id,
    );
    const callers = new Callers(secret, access, contractId);
    const load = new SteadyLoad(callers.send, 20);

    const before: SecretFiles = new Map(filesOf(stack.secrets));
    const { made: fresh } = completeSecrets(new Map(), 'development');
    let files = before;
    for (const step of ROTATION_STEPS) {
      if (step === 'finish') await pause(SIGNED_FOR_MS);
      files = new Map([...files, ...rotated(step, NAMES, files, fresh)]);
      const { secrets } = completeSecrets(files, 'development');
      await tellServers(secrets);
      await replaceAll(secrets);
    }
    await load[Symbol.asyncDispose]();
    console.log(describeLoad(`Rotation under load, ${callers.retried} retried`, load));
    expect(load.problems).toEqual([]);

    const ids = [...callers.approved.keys()];
    const paid = await owner.database.query<{ timesheetId: string; id: string }>(
      'select source_id as "timesheetId", id from payments.payment where source_id = any($1)',
      [ids],
    );
    expect(ids.length).toBeGreaterThan(100);
    expect(paid.rows.map(({ timesheetId, id }) => [timesheetId, id]).toSorted()).toEqual(
      [...callers.approved].toSorted(),
    );

    const refused = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => 'accepted',
        () => 'refused',
      );
    for (const name of SERVICES) {
      const old = new Client({ connectionString: stack.database.urls[name] });
      expect(await refused(old.connect())).toBe('refused');
      expect(await refused(requireNats(stack.natsUrls[name]))).toBe('refused');
    }
    const logs = readdirSync(join(stack.dir, 'logs')).map((file) =>
      readFileSync(join(stack.dir, 'logs', file), 'utf8'),
    );
    for (const value of [...before.values(), ...fresh.values()]) {
      expect(logs.some((log) => log.includes(value))).toBe(false);
    }
  },
);
