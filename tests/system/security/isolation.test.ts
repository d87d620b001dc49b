import { createSecretKey } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { newId, SCOPES, type Origin, SERVICES, type ServiceName } from '@payroll/kernel';
import { parseJsonLines } from '@payroll/service';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { serviceSchemas } from '@payroll/infra/postgres/roles';
import { activeContract, joinSystem, submittedTimesheet, type Json } from '../support.js';

/** Resources of the first workspace that must be invisible to the second. */
const secrets = { contract: '', timesheet: '', payment: '' };

const system = await joinSystem();
secrets.contract = await activeContract(system.access());
const { id, version } = await submittedTimesheet(system.access(), secrets.contract);
secrets.timesheet = id;
const approved = await system.rest(system.workspaces[0].apiKeys.admin, 'POST', `/timesheets/${id}/approve`, {
  expectedVersion: version,
});
secrets.payment = String(approved.body['paymentId']);

function tokenFor(service: ServiceName, workspaceId: string, { at = new Date(), signedFor = service } = {}): string {
  const origin: Origin = {
    actor: { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES },
    via: 'graphql',
    requestId: newId(),
  };
  return mintActorToken(service, createSecretKey(system.stack.secrets.actorKeys[signedFor], 'hex'), origin, at);
}

type SubgraphAnswer = { data: Json | null; errors?: { extensions: { code: string } }[] };

async function subgraph(service: ServiceName, requests: object[]): Promise<SubgraphAnswer[]> {
  const response = await fetch(`http://127.0.0.1:${system.stack.ports[service]}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests),
  });
  return parseJsonLines(await response.text());
}

describe('a database role', () => {
  it.each([...serviceSchemas])('%s gets "permission denied" on every other schema', async (role) => {
    const { urls } = system.stack.database;
    const client = new Client(urls[role]);
    await client.connect();
    try {
      for (const schema of serviceSchemas.filter((each) => each !== role)) {
        const table = schema === 'rest_facade' ? 'idempotency_key' : 'audit_entry';
        await expect(client.query(`select * from ${schema}.${table}`)).rejects.toThrow('permission denied');
        await expect(client.query(`create table ${schema}.mine (id int)`)).rejects.toThrow('permission denied');
      }
      await expect(client.query('create schema mine')).rejects.toThrow('permission denied');
      await expect(client.query('create table public.mine (id int)')).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });

  it.each([...SERVICES])('%s may insert audit entries, not change them', async (role) => {
    const client = new Client(system.stack.database.urls[role]);
    await client.connect();
    try {
      await expect(client.query("update audit_entry set action = 'other'")).rejects.toThrow('permission denied');
      await expect(client.query('delete from audit_entry')).rejects.toThrow('permission denied');
      await expect(client.query('delete from applied_operation')).rejects.toThrow('permission denied');
      await expect(client.query('delete from dead_letter')).rejects.toThrow('permission denied');
      await expect(client.query('update applied_operation set applied_at = now()')).rejects.toThrow(
        'permission denied',
      );
    } finally {
      await client.end();
    }
  });
});

describe('a subgraph', () => {
  const query = '{ __typename }';

  it.each([...SERVICES])(
    '%s refuses a request without a token and with a malformed, foreign or expired one',
    async (service) => {
      const { id } = system.workspaces[0];
      const other = SERVICES.find((each) => each !== service)!;
      const good = tokenFor(service, id);
      const bad = [
        undefined,
        '',
        'nonsense',
        `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`.replace(/^./, 'x'),
        tokenFor(other, id),
        tokenFor(service, id, { signedFor: other }),
        tokenFor(service, id, { at: new Date(Date.now() - 16_000) }),
      ];
      const requests = [...bad, good].map((token) => ({ query, extensions: { token } }));
      const answers = await subgraph(service, requests);
      const refused = answers.slice(0, -1);
      expect(refused.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(bad.map(() => 'INVALID_CREDENTIAL'));
      expect(refused.every(({ data }) => data === undefined)).toBe(true);
      expect(answers.at(-1)).toMatchObject({ data: { __typename: 'Query' } });
    },
  );

  it.each([
    ['contracts', 'Contract', 'title', 'contract'],
    ['review', 'Timesheet', 'status', 'timesheet'],
    ['payments', 'Payment', 'status', 'payment'],
  ] as const)(
    '%s returns null for _entities of another workspace, alone and in mixed batches',
    async (service, type, field, thing) => {
      const [own, other] = system.workspaces;
      const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on ${type} { ${field} } } }`;
      const variables = {
        representations: [
          { __typename: type, id: secrets[thing] },
          { __typename: type, id: newId() },
        ],
      };
      const request = (workspaceId: string): object => ({
        query: entities,
        variables,
        extensions: { token: tokenFor(service, workspaceId) },
      });
      const [alone] = await subgraph(service, [request(other.id)]);
      expect(alone?.data).toEqual({ _entities: [null, null] });
      const mixed = await subgraph(service, [request(other.id), request(own.id), request(other.id)]);
      expect(mixed[0]?.data).toEqual({ _entities: [null, null] });
      expect(mixed[1]?.data).toMatchObject({ _entities: [{ [field]: expect.any(String) }, null] });
      expect(mixed[2]?.data).toEqual({ _entities: [null, null] });
    },
  );
});

it('an admin key of another workspace gets 404 for every id', async () => {
  const { admin } = system.workspaces[1].apiKeys;
  const paths = [`/contracts/${secrets.contract}`, `/timesheets/${secrets.timesheet}`, `/payments/${secrets.payment}`];
  for (const path of paths) expect(await system.rest(admin, 'GET', path)).toMatchObject({ status: 404 });
  const approve = await system.rest(admin, 'POST', `/timesheets/${secrets.timesheet}/approve`, {
    expectedVersion: 'x',
  });
  expect(approve).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});
