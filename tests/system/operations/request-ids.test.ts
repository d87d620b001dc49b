import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { codeOf, exchange, type RawAnswer, type RawRequest } from '../integrator.js';
import { ownerOf, type Owner } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { activeContract, startSystem, submittedTimesheet, type System } from '../support.js';

let system: System;
let owner: Owner;
let admin: { secret: string; id: string };
let contractId: string;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  // Processes inherit this level, at which each service logs every request.
  vi.stubEnv('LOG_LEVEL', 'debug');
  system = started.use(await startSystem());
  owner = started.use(await ownerOf(system));
  admin = await newPrincipal(system.access());
  contractId = await activeContract(system.access());
});

afterAll(async () => await started.disposeAsync());

const send = (path: string, more: Partial<RawRequest> = {}): Promise<RawAnswer> =>
  exchange(system.stack.file.rest.url + path, {
    key: admin.secret,
    ...(more.body !== undefined && { method: 'POST', idempotencyKey: crypto.randomUUID() }),
    ...more,
  });

/** The log lines of our processes, by process. We do not control the wording of the servers' own logs. */
function lines(): [process: string, line: string][] {
  const directory = join(system.stack.dir, 'logs');
  const files = readdirSync(directory).filter((file) => !/^(postgres|nats)/.test(file));
  return files.flatMap((file) =>
    readFileSync(join(directory, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => [file.replace('.log', ''), line]),
  );
}

/** The processes that logged a request. */
const toldOf = (requestId: string): string[] =>
  [...new Set(lines().flatMap(([process, line]) => (line.includes(`"${requestId}"`) ? [process] : [])))].toSorted();

/** The id of an answer: the same in its header and, if it failed, in its body. */
function idOf(answer: RawAnswer): string {
  const requestId = answer.headers.get('x-request-id')!;
  const { error } = JSON.parse(answer.text) as { error?: { requestId: string } };
  if (error) expect(error.requestId).toBe(requestId);
  return requestId;
}

const eventuallyTold = (answer: RawAnswer) => expect.poll(() => toldOf(idOf(answer)), { timeout: 10_000 });

const PRIVATE = { title: 'Wildly private title', reason: 'Wildly private reason' };

it.each<[string, number, string[], () => Promise<RawAnswer>]>([
  ['a read of the workspace', 200, ['workspaces'], () => send('/business')],
  ['a read of a contract', 200, ['contracts', 'workspaces'], () => send(`/contracts/${contractId}`)],
  ['a list of timesheets', 200, ['review', 'workspaces'], () => send('/timesheets?limit=1')],
  ['balances', 200, ['payments', 'workspaces'], () => send('/balances')],
  ['a draft', 201, ['contracts', 'workspaces'], () => send('/contracts', { body: { title: PRIVATE.title } })],
  [
    'a rejection',
    200,
    ['review', 'workspaces'],
    async () => {
      const { id, version } = await submittedTimesheet(system.access(), contractId);
      return await send(`/timesheets/${id}/reject`, { body: { expectedVersion: version, reason: PRIVATE.reason } });
    },
  ],
  [
    'an approval, as far as its payment',
    200,
    ['payments', 'review', 'workspaces'],
    async () => {
      const { id, version } = await submittedTimesheet(system.access(), contractId);
      return await send(`/timesheets/${id}/approve`, { body: { expectedVersion: version } });
    },
  ],
  ['what is not there', 404, ['payments', 'workspaces'], () => send(`/payments/${contractId}`)],
  ['a body that does not fit', 422, ['workspaces'], () => send('/contracts', { body: { text: PRIVATE.title } })],
  ['a wrong key', 401, ['workspaces'], () => send('/business', { key: 'sk_test_wildly_private' })],
])(
  '%s: its request id is in the answer and in the logs of every service it reached',
  async (_what, status, services, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    await eventuallyTold(answer).toEqual(expect.arrayContaining(['rest-facade', ...services]));
  },
);

it('the request id of an internal error leads to the log lines that explain it', async () => {
  await owner.database.query('alter table contracts.contract rename to contract_away');
  const broken = await send('/contracts');
  await owner.database.query('alter table contracts.contract_away rename to contract');
  expect([broken.status, codeOf(broken)]).toEqual([500, 'INTERNAL_ERROR']);
  expect(broken.text).not.toMatch(/contract_away|relation|select|42P01/i);

  await owner.database.query('begin');
  await owner.database.query('lock table contracts.contract');
  const late = await send('/contracts');
  await owner.database.query('commit');
  expect([late.status, codeOf(late)]).toEqual([503, 'SERVICE_UNAVAILABLE']);

  for (const [answer, sqlstate] of [
    [broken, '42P01'],
    [late, '55P03'],
  ] as const) {
    const about = () => lines().filter(([process, line]) => process === 'contracts' && line.includes(idOf(answer)));
    // Lines are written a few milliseconds late.
    await expect.poll(() => about().join()).toContain(sqlstate);
  }
});

it('a request of an internal team is logged with its id too', async () => {
  const { url, token } = system.stack.file.graphql;
  const answer = await exchange(url, {
    key: token!,
    method: 'POST',
    body: { query: '{ business { name } }' },
    headers: { 'x-workspace-id': system.workspaces[0].id, 'x-reason': 'a test' },
  });
  expect(answer.status).toBe(200);
  await eventuallyTold(answer).toEqual(expect.arrayContaining(['gateway', 'workspaces']));
});

it('no log line contains a body, a secret or SQL', () => {
  const { secrets, database, natsUrls } = system.stack;
  const passwords = [...Object.values(database.urls), ...Object.values(natsUrls)].map((url) => new URL(url).password);
  const keys = [admin.secret, ...system.workspaces.flatMap(({ apiKeys }) => Object.values(apiKeys))];
  const hidden = [...Object.values(PRIVATE), ...keys, ...passwords, ...Object.values(secrets.actorKeys)];
  hidden.push('sk_test_wildly_private', system.stack.file.graphql.token!, '@northwind.example');
  const written = lines();
  expect(written.length).toBeGreaterThan(50);
  for (const [process, line] of written) {
    expect(hidden.filter((one) => line.includes(one)).map(() => `${process}: ${line}`)).toEqual([]);
    expect(line).not.toMatch(/\b(select .+ from|insert into|update .+ set|delete from)\b/i);
    expect(line).not.toMatch(/bearer |eyJ[\w-]+\./i);
  }
});
