import { spawn } from 'node:child_process';
import { createSecretKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '@payroll/admission';
import { hostEnvironment, processNames, repositoryRoot } from '@payroll/infra/processes';
import { serviceSchemas } from '@payroll/infra/postgres/roles';
import { ROLES, type Role } from '@payroll/kernel';
import { CALLBACK_HEADERS, readStatement, signCallback, type Statement } from '@payroll/provider-protocol';
import { sendGraphql } from '@payroll/tools/demo/graphql-client';
import { Person } from '@payroll/tools/demo/person';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import { watchProcesses } from '@payroll/tools/local/watch-processes';
import { runConsistencyChecks } from '@payroll/tools/operate/judge';
import { ordersOf } from '../../support/provider-orders.js';
import { submittedMilestones } from '../milestones.js';
import { startSystem, type System } from '../support.js';

// Two cells side by side, each a whole system with its own database, secrets and account at the provider.

interface Cell {
  name: string;
  system: System;
  database: Client;
  /** OTLP messages of its processes, and where their metrics are. */
  traces: string[];
  metricsPorts: readonly number[];
}

const started = new AsyncDisposableStack();
const eventually = { timeout: 30_000, interval: 100 };
let eu1: Cell;
let us1: Cell;

async function startCell(name: string): Promise<Cell> {
  const traces: string[] = [];
  const watch = started.use(await watchProcesses('free', (message) => traces.push(message)));
  const env = Object.fromEntries(processNames.map((each) => [each, { ...watch.env[each], CELL: name }]));
  const system = started.use(await startSystem(seedPeopleAndAssistants, { env }));
  const { adminUrl } = system.stack.database;
  const database = new Client(Object.assign(new URL(adminUrl), { pathname: 'payroll' }).href);
  await database.connect();
  started.defer(async () => await database.end());
  return { name, system, database, traces, metricsPorts: Object.values(watch.metricsPorts) };
}

beforeAll(async () => {
  [eu1, us1] = await Promise.all([startCell('eu1'), startCell('us1')]);
  // As docker-compose does before each start.
  for (const { code, said } of await Promise.all([eu1, us1].map((cell) => migrate(cell, cell)))) {
    if (code !== 0) throw new Error(said);
  }
}, 600_000);
afterAll(async () => await started.disposeAsync());

interface Ending {
  code: number | null;
  /** On stderr. */
  said: string;
}

async function run(program: string, env: Readonly<Record<string, string>>): Promise<Ending> {
  const child = spawn(process.execPath, [join(repositoryRoot, program)], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { said: await textOf(child.stderr), code: await ended };
}

/** The migrations of one cell with the database of a cell, such as one restored from its dump. */
function migrate(cell: Cell, of: Cell): Promise<Ending> {
  const { secrets, database } = of.system.stack;
  return run('infra/dist/docker/migrate.js', {
    ...hostEnvironment(),
    ...{ DEPLOYMENT: 'test', CELL: cell.name, DATABASE_URL: database.adminUrl },
    OWNER_PASSWORD: secrets.database.owner,
    MONITOR_PASSWORD: secrets.database.monitor,
    ROLE_PASSWORDS: serviceSchemas.map((schema) => `${schema}=${secrets.database.services[schema]}`).join(','),
  });
}

/** A process of one cell with the database of another. */
function startWith(cell: Cell, of: Cell): Promise<Ending> {
  const { environmentOf, database } = { ...cell.system.stack, database: of.system.stack.database };
  const own = { CELL: cell.name, DATABASE_URL: database.urls.review, LISTEN_PORT: '0' };
  return run('dist/review.js', { ...environmentOf('review'), ...own });
}

interface Refusal {
  isRefused: boolean;
  /** The text that its reader sees. */
  said: string;
}

type Crossing = readonly [
  name: string,
  cross: (from: Cell, to: Cell) => Promise<Refusal>,
  hint: (from: Cell, to: Cell) => string,
];

const keyHint = (from: Cell, to: Cell): string =>
  `This is a key of the test cell ${from.name}, but this is the test cell ${to.name}, whose keys begin with sk_test_${to.name}_.`;
const cellHint = (_: Cell, to: Cell): string =>
  `This is the cell ${to.name}; credentials of another cell are not valid here.`;
const pageHint = (_: Cell, to: Cell): string =>
  `This is ${to.name}. Accounts of other cells sign in at their own addresses.`;
const databaseHint = (from: Cell, to: Cell): string =>
  `DEPLOYMENT and CELL say test_${to.name}, but the database was made for test_${from.name}`;

async function answer(url: string, init: RequestInit, status = 401): Promise<Refusal> {
  const response = await fetch(url, init);
  return { isRefused: response.status === status, said: await response.text() };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const workspaceOf = ({ system }: Cell) => system.workspaces[0];

const withKey = (
  name: string,
  keyOf: (cell: Cell) => string,
  method: 'GET' | 'POST' = 'GET',
  path = '/business',
): Crossing => [
  `a key: ${name}`,
  async (from, to) => {
    const body = method === 'POST' ? { title: 'Crossing', expectedVersion: '1' } : undefined;
    const answered = await to.system.rest(keyOf(from), method, path, body);
    const { code, message } = answered.body['error'] as { code: string; message: string };
    return { isRefused: answered.status === 401 && code === 'INVALID_CREDENTIAL', said: message };
  },
  keyHint,
];

const adminKey = (cell: Cell): string => workspaceOf(cell).apiKeys.admin;

const keys: readonly Crossing[] = [
  ...ROLES.map((role) => withKey(`${role} reads`, (cell) => workspaceOf(cell).apiKeys[role])),
  withKey('admin drafts', adminKey, 'POST', '/contracts'),
  withKey('admin approves', adminKey, 'POST', `/timesheets/${randomUUID()}/approve`),
  withKey('one that was never made', ({ name }) => newApiKey(`test_${name}`).text),
  withKey('one that was changed', (cell) => `${adminKey(cell).slice(0, -1)}-`),
];

const people = new Map<Cell, Person>();

async function signedIn(cell: Cell): Promise<Person> {
  const user = workspaceOf(cell).users!.find(({ role }) => role === 'admin')!;
  const person = people.get(cell) ?? new Person(cell.system.stack.file.auth!.url);
  if (!people.has(cell)) await person.signIn(user.email, user.password);
  people.set(cell, person);
  return person;
}

const withSession = (place: string, path: (from: Cell) => string): Crossing => [
  `a session: ${place}`,
  async (from, to) => {
    const person = await signedIn(from);
    expect((await person.open(path(from))).path).toBe(path(from));
    const shown = await person.at(to.system.stack.file.auth!.url).open(path(from));
    return { isRefused: shown.path.startsWith('/sign-in'), said: shown.html };
  },
  pageHint,
];

const sessions: readonly Crossing[] = [
  withSession('all workspaces', () => '/workspaces'),
  withSession('a workspace', (from) => `/workspaces/${workspaceOf(from).id}`),
  withSession('its keys', (from) => `/workspaces/${workspaceOf(from).id}/keys`),
  withSession('the account', () => '/account'),
];

const accessToken = (role: Role): Crossing => [
  `an access token of ${role}`,
  (from, to) =>
    answer(to.system.stack.file.mcp!.url, { method: 'POST', headers: bearer(workspaceOf(from).mcpTokens![role]) }),
  cellHint,
];

const tokens: readonly Crossing[] = [
  ...ROLES.map(accessToken),
  [
    'an internal token',
    async (from, to) => {
      const access = { ...from.system.access(), url: to.system.access().url };
      const { data, errors } = await sendGraphql(access, '{ business { id } }');
      const [error] = errors ?? [];
      return { isRefused: !data && error?.extensions?.code === 'INVALID_CREDENTIAL', said: error?.message ?? '' };
    },
    cellHint,
  ],
  [
    "an assistant's client",
    (from, to) => {
      const [, claims = ''] = workspaceOf(from).mcpTokens!.admin.split('.');
      const { client_id: clientId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { client_id: string };
      const request = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: 'http://127.0.0.1/',
      });
      return answer(
        `${to.system.stack.file.auth!.url}/oauth/authorize?${request.toString()}`,
        { redirect: 'manual' },
        400,
      );
    },
    cellHint,
  ],
];

const callback = (name: string, orderOf: (from: Cell) => string): Crossing => [
  `a callback about ${name}`,
  (from, to) => {
    const [body, timestamp] = [JSON.stringify({ idempotencyKey: orderOf(from) }), String(Date.now())];
    const signature = signCallback(createSecretKey(from.system.stack.secrets.callbackKey, 'hex'), timestamp, body);
    const headers = { [CALLBACK_HEADERS.timestamp]: timestamp, [CALLBACK_HEADERS.signature]: signature };
    const url = `http://127.0.0.1:${to.system.stack.ports.callbacks}/payouts/callbacks`;
    return answer(url, { method: 'POST', body, headers });
  },
  cellHint,
];

const callbacks: readonly Crossing[] = [
  callback('an order of the other cell', () => `milestone:${randomUUID()}:1`),
  callback('nothing', () => ''),
];

const dumps: readonly Crossing[] = [
  ['a database: migrations', async (from, to) => endedBy(await migrate(to, from)), databaseHint],
  ['a database: a process', async (from, to) => endedBy(await startWith(to, from)), databaseHint],
];

function endedBy({ code, said }: Ending): Refusal {
  return { isRefused: code === 1 && said.trim().split('\n').length === 1, said };
}

describe('a credential or database of one cell is refused by the other, with a hint', () => {
  const crossings = [...keys, ...sessions, ...tokens, ...callbacks, ...dumps];
  let refused = 0;

  it.each(crossings)('%s, in both directions', async (_, cross, hint) => {
    for (const [from, to] of [
      [eu1, us1],
      [us1, eu1],
    ] as const) {
      const { isRefused, said } = await cross(from, to);
      expect(isRefused, said).toBe(true);
      expect(said.replaceAll(/<[^>]*>/g, '')).toContain(hint(from, to));
      refused++;
    }
  });

  it('40 of 40 crossings', () => {
    expect([refused, crossings.length * 2]).toEqual([40, 40]);
  });

  it('and is valid at home', async () => {
    for (const cell of [eu1, us1]) {
      const { id, apiKeys } = workspaceOf(cell);
      expect(apiKeys.admin).toMatch(new RegExp(`^sk_test_${cell.name}_`));
      expect((await cell.system.rest(apiKeys.admin, 'GET', '/business')).body).toMatchObject({ id });
    }
  });
});

it('log lines, metrics and traces of every process name its cell', async () => {
  for (const { name, system, traces, metricsPorts } of [eu1, us1]) {
    const said = processNames.map((each) => readFile(join(system.stack.dir, 'logs', `${each}.log`), 'utf8'));
    const lines = linesOf(await Promise.all(said)).filter((line) => line.startsWith('{'));
    expect(lines.length).toBeGreaterThanOrEqual(processNames.length);
    expect(lines.filter((line) => !line.includes(`"cell":"${name}"`))).toEqual([]);

    const pages = metricsPorts.map(async (port) => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    const series = linesOf(await Promise.all(pages)).filter((line) => !line.startsWith('#'));
    expect(series).toContainEqual(expect.stringMatching(/^payroll_build_info/));
    expect(series.filter((line) => !line.includes(`cell="${name}"`))).toEqual([]);

    expect(traces).not.toEqual([]);
    const attribute = `{"key":"payroll.cell","value":{"stringValue":"${name}"}}`;
    expect(traces.filter((message) => !message.includes(attribute))).toEqual([]);
  }
});

function linesOf(texts: readonly string[]): string[] {
  return texts.join('\n').split('\n').filter(Boolean);
}

describe('each cell has an account of its own at the payout provider', () => {
  it('a statement of one raises nothing in the other, nor does a comparison of all orders', async () => {
    await Promise.all([eu1, us1].map(payOne));
    for (const cell of [eu1, us1]) {
      expect(await wrongBy(cell, await statementOf(cell))).toEqual([]);
      expect(await comparedAgain(cell)).toEqual([]);
    }
  });

  it('the statement of the other would be found wrong', async () => {
    expect(await wrongBy(us1, await statementOf(eu1))).not.toEqual([]);
  });

  it('with one account for both, each comparison reports the orders of the other (ADR 32)', async () => {
    const { provider } = eu1.system.stack.file;
    const [order] = await ordersOf(provider);
    await us1.system.stack.stop('payments');
    await us1.system.stack.start('payments', { CELL: 'us1', PROVIDER_URL: provider.url, PROVIDER_KEY: provider.key });
    expect(await comparedAgain(us1)).toContain(order!.idempotencyKey);
  });
});

async function payOne({ system }: Cell): Promise<void> {
  const [{ id, version }] = (await submittedMilestones(system.access(), 1)) as [{ id: string; version: string }];
  const { admin } = system.workspaces[0].apiKeys;
  const approve = () => system.rest(admin, 'POST', `/milestones/${id}/approve`, { expectedVersion: version });
  await expect.poll(async () => (await approve()).status, eventually).toBe(200);
  const status = async () => (await system.rest(admin, 'GET', `/milestones/${id}`)).body['status'];
  await expect.poll(status, eventually).toBe('paid');
}

/** Yesterday too: midnight may have passed since the payments. */
async function statementOf({ system }: Cell): Promise<Statement> {
  const { url, key } = system.stack.file.provider;
  const days = [Date.now() - 86_400_000, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10));
  const texts = days.map(
    async (day) => await (await fetch(`${url}/statements/${day}`, { headers: bearer(key) })).text(),
  );
  return readStatement((await Promise.all(texts)).join(''));
}

async function wrongBy({ database }: Cell, statement: Statement): Promise<string[]> {
  const verdicts = await runConsistencyChecks(database, statement);
  return verdicts.filter(({ findings }) => findings > 0).map(({ sentence }) => sentence);
}

/** Has all orders of the account compared again, as after a restore. @returns the keys of those that it does not know */
async function comparedAgain({ database }: Cell): Promise<string[]> {
  await database.query('delete from payments.order_check');
  const compared = 'select from payments.order_check where checked_at is not null';
  await expect.poll(async () => (await database.query(compared)).rowCount, eventually).toBe(1);
  const { rows } = await database.query<{ key: string }>(
    'select idempotency_key as key from payments.unclaimed_order order by 1',
  );
  return rows.map(({ key }) => key);
}
