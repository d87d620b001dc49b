import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { newApiKey, newInternalToken, type AdmissionResponse, type AdmissionRequest } from '@payroll/admission';
import { newId, SCOPES, unavailable } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, expect, it, vi } from 'vitest';
import { createApp, turnOffApolloTelemetry } from '../src/app.js';
import { supergraph } from '../src/index.js';
import { subgraphSources } from '../src/subgraph-source.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

const workspaceId = newId();
const tokens = { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' };
const actor = {
  kind: 'staff',
  team: 'operations',
  person: 'olga@example.com',
  principalId: newId(),
  workspaceId,
  role: null,
  scopes: SCOPES,
} as const;

let asked: AdmissionRequest[] = [];
let answer: () => Promise<AdmissionResponse>;

/** The hosts that anything in this process has sent a request to, subgraphs apart: those are reached by undici. */
const contacted: string[] = [];
const noteHost = (message: unknown): void => void contacted.push((message as { request: ClientRequest }).request.host);

subscribe('http.client.request.start', noteHost);
vi.stubEnv('APOLLO_TELEMETRY_DISABLED', undefined);
// oxlint-disable-next-line node/no-process-env -- where Apollo's gateway reads it
turnOffApolloTelemetry(process.env);
const fakes = await startFakeSubgraphs();
fakes.answers.workspaces = () => ({ data: { business: { name: 'Northwind' } } });
const sources = subgraphSources(fakes.urls);
const ask = (question: AdmissionRequest): Promise<AdmissionResponse> => {
  asked.push(question);
  return answer();
};
const app = await createApp({
  supergraph: supergraph(),
  sources,
  admission: { ask },
  log: createLog('test', 'silent'),
  waitingFor: () => Promise.resolve([]),
  explorerStack: null,
  trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
  allowedHosts: ['balancer'],
});

afterAll(async () => {
  unsubscribe('http.client.request.start', noteHost);
  vi.unstubAllEnvs();
  await app.close();
  await Promise.all(Object.values(sources).map((source) => source[Symbol.asyncDispose]()));
  await fakes[Symbol.asyncDispose]();
});

async function send(headers: Record<string, string>, query = '{ business { name } }') {
  asked = [];
  const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
  return {
    status: response.statusCode,
    body: response.json<{ data?: unknown; errors?: { message: string; extensions: object }[] }>(),
  };
}

const STAFF = { authorization: `Bearer ${newInternalToken().text}`, 'x-workspace-id': workspaceId };

const admitted = (): Promise<AdmissionResponse> =>
  Promise.resolve({ admitted: true, origin: { actor, via: 'graphql', requestId: 'r' }, tokens, rateLimits: [] });

it('reports nothing to Apollo, and asks no cloud provider where it runs', async () => {
  await pause(500);
  expect(contacted).toEqual([]);
});

it('asks admission with the token, the workspace and the reason, and relays its tokens', async () => {
  answer = admitted;
  const token = newInternalToken();
  const headers = { authorization: `Bearer ${token.text}`, 'x-workspace-id': workspaceId, 'x-reason': 'ticket 7' };
  expect(await send(headers)).toEqual({ status: 200, body: { data: { business: { name: 'Northwind' } } } });
  expect(asked).toMatchObject([{ credential: { kind: 'token', id: token.id }, workspaceId, reason: 'ticket 7' }]);
  expect(fakes.messages.workspaces.flat().at(-1)).toMatchObject({ token: 'w' });
});

it.each(['utf8', 'latin1'] as const)('reads a reason that is sent in %s', async (encoding) => {
  answer = admitted;
  // As Node gives the bytes to us.
  const reason = Buffer.from('Prüfung 7', encoding).toString('latin1');
  await send({ ...STAFF, 'x-reason': reason });
  expect(asked).toMatchObject([{ reason: 'Prüfung 7' }]);
});

it('sends admission the address that the last trusted proxy reports', async () => {
  answer = admitted;
  await send({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 10.1.2.3' });
  expect(asked).toMatchObject([{ clientAddress: '198.51.100.7' }]);
});

it('answers under its own host names, and health checks under any', async () => {
  answer = admitted;
  const under = async (host: string, url = '/explorer/'): Promise<number> =>
    (await app.inject({ url, headers: { host } })).statusCode;
  expect(await under('evil.example')).toBe(400);
  expect((await send({ host: 'evil.example' })).body.errors?.[0]?.message).toContain('Host');
  expect(await Promise.all(['localhost:4001', '127.0.0.1:4001', 'balancer:4001'].map((host) => under(host)))).toEqual([
    200, 200, 200,
  ]);
  expect(await under('gateway', '/readyz')).toBe(200);
});

it('a rate-limited caller gets the delay in the body and in Retry-After', async () => {
  const message = 'Too many requests.';
  const refused = { admitted: false, code: 'RATE_LIMITED', message, retryAfterSeconds: 17, rateLimits: [] } as const;
  answer = () => Promise.resolve(refused);
  const response = await app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ business { name } }' } });
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '17']);
});

it.each([
  ['INVALID_CREDENTIAL', 401],
  ['INSUFFICIENT_SCOPE', 403],
  ['INVALID_REQUEST', 400],
  ['RATE_LIMITED', 429],
] as const)('%s is answered with status %i and nothing else', async (code, status) => {
  answer = () => Promise.resolve({ admitted: false, code, message: 'no', rateLimits: [] });
  expect(await send(STAFF)).toMatchObject({ status, body: { errors: [{ message: 'no', extensions: { code } }] } });
});

it('a refusal names the header that admission misses', async () => {
  const details = [{ path: 'x-reason', code: 'required' }];
  answer = () => Promise.resolve({ admitted: false, code: 'INVALID_REQUEST', message: 'no', details, rateLimits: [] });
  expect((await send(STAFF)).body.errors?.[0]?.extensions).toEqual({ code: 'INVALID_REQUEST', details });
});

it.each([
  [{}, 'required'],
  [{ 'x-workspace-id': 'acme' }, 'invalid_format'],
])(
  'a request with the headers %j is told how to name its workspace, without a call to admission',
  async (headers, code) => {
    answer = admitted;
    const { status, body } = await send({ authorization: `Bearer ${newInternalToken().text}`, ...headers });
    const details = [{ path: 'x-workspace-id', code }];
    expect([status, asked]).toEqual([400, []]);
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining('x-workspace-id'), extensions: { code: 'INVALID_REQUEST', details } },
    ]);
  },
);

it('a malformed token is refused with a reason, and counted as a failure', async () => {
  answer = () => Promise.resolve({ admitted: false, code: 'INVALID_CREDENTIAL', message: 'no', rateLimits: [] });
  const { status, body } = await send({ authorization: `Bearer ${newApiKey('test').text}` });
  expect([status, asked.length]).toEqual([401, 1]);
  expect(body.errors?.[0]?.message).toContain('This is an API key');
});

it('while admission is down the answer is 503 with Retry-After', async () => {
  answer = () => Promise.reject(unavailable('Admission'));
  const { status, body } = await send({});
  expect(status).toBe(503);
  expect(body.errors?.[0]?.extensions).toEqual({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
});

it('a query that does not match the schema is refused with the reason', async () => {
  answer = admitted;
  const { status, body } = await send({}, '{ business { salary } }');
  expect(status).toBe(400);
  expect(body.errors?.[0]?.message).toContain('salary');
});

const nested = (depth: number): string =>
  `{ contracts(limit: 1) { nodes { ${'timesheets { contract { '.repeat(depth)} id ${'} }'.repeat(depth)} } } }`;

it.each([
  ['depth', nested(5)],
  ['aliases', `{ ${Array.from({ length: 21 }, (_, n) => `a${n}: business { id }`).join(' ')} }`],
  [
    'cost',
    '{ contracts(limit: 100) { nodes { timesheets { id status periodEnd unitsWorked total { amount currency } payment { id payoutAttempts { number } } } } } }',
  ],
  ['tokens', `{ ${'business { name } '.repeat(500)} }`],
])('a request beyond its limit of %s is refused before any service is called', async (name, query) => {
  answer = admitted;
  const before = Object.values(fakes.messages).flat().length;
  const { status, body } = await send({}, query);
  expect(status).toBe(400);
  expect(body.errors?.[0]?.message).toContain(name);
  expect(Object.values(fakes.messages).flat()).toHaveLength(before);
});

it('checks the token before the limits, so that strangers learn no limit', async () => {
  answer = () => Promise.resolve({ admitted: false, code: 'INVALID_CREDENTIAL', message: 'no', rateLimits: [] });
  expect((await send({}, nested(5))).status).toBe(401);
});

it('a complete introspection query, as tools send it, is within the limits', async () => {
  answer = admitted;
  const { status, body } = await send({}, getIntrospectionQuery());
  expect(status).toBe(200);
  expect(body.errors).toBeUndefined();
});

it.each(['subscription { x }', 'subscription { business { id } }'])(
  '%s is refused as a request that does not match the schema',
  async (query) => {
    answer = admitted;
    const { status, body } = await send({}, query);
    expect([status, body.errors?.[0]?.message]).toEqual([400, expect.stringContaining('subscription')]);
  },
);

it('a document of several operations is refused unless one of them is named', async () => {
  answer = admitted;
  const { status, body } = await send({}, 'query a { business { name } } query b { business { id } }');
  expect([status, body.errors?.[0]]).toMatchObject([400, { extensions: { code: 'INVALID_REQUEST' } }]);
  expect(body.errors?.[0]?.message).toContain('operationName');
});

it('accepts POST only, with one operation per request', async () => {
  answer = admitted;
  expect((await app.inject({ url: '/graphql?query={business{name}}' })).statusCode).toBe(404);
  const batch = [{ query: '{ business { name } }' }];
  expect((await app.inject({ method: 'POST', url: '/graphql', payload: batch })).statusCode).toBe(400);
});

const atDoor = (fields: Record<string, string>) =>
  app.inject({
    ...{ method: 'POST', url: '/explorer/', payload: new URLSearchParams(fields).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

it('the explorer requires a token, a workspace and a reason, and opens with them', async () => {
  const { text: token } = newInternalToken();
  const page = await atDoor({ token, workspaceId, reason: "ticket 41, a worker's payment" });
  expect(page.statusCode).toBe(200);
  for (const part of [`Bearer ${token}`, workspaceId, 'ticket 41']) expect(page.body).toContain(part);
  expect(page.body).not.toMatch(/https?:\/\//);
  const policy = String(page.headers['content-security-policy']);
  const [, nonce] = /script-src 'self' 'nonce-([\w-]{22})';/.exec(policy) ?? [];
  expect(page.body).toContain(`<script type="module" nonce="${nonce}">`);
  expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*frame-ancestors 'self'/);
  const words = await app.inject({ url: '/explorer/assets/i18n/en-US.json' });
  expect(words.body).not.toContain('Ezio');
});

it.each([
  ['no token', { token: 'it_x' }],
  ['no workspace', { workspaceId: 'x' }],
  ['a reason that is a script', { reason: '</script><script>alert(1)</script>' }],
])('the explorer does not open with %s', async (_, wrong) => {
  const page = await atDoor({ token: newInternalToken().text, workspaceId, reason: '', ...wrong });
  expect(page.statusCode).toBe(400);
  expect(page.body).toContain('role="alert"');
  expect(page.body).not.toMatch(/<script/);
});

it('the explorer takes forms only', async () => {
  const page = await app.inject({ method: 'POST', url: '/explorer/', payload: { workspaceId: 5, reason: null } });
  expect([page.statusCode, page.json<object>()]).toEqual([
    415,
    { errors: [{ message: expect.any(String) as string, extensions: { code: 'INVALID_REQUEST' } }] },
  ]);
});

it("the explorer's page contains no token and loads nothing from other sites", async () => {
  const page = await app.inject({ url: '/explorer/' });
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/https?:\/\/|<script|Bearer/);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  expect((await app.inject({ url: '/' })).headers.location).toBe('/explorer/');
});
