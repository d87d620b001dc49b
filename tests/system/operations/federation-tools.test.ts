import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { mintActorToken } from '@payroll/admission';
import { newId, SCOPES, SERVICES, type Actor, type Origin, type ServiceName } from '@payroll/kernel';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '@payroll/infra/processes';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';

// The running subgraphs behind Apollo's published gateway, without our own code in between (ADR 07).

interface Context {
  /** Absent while a gateway fetches the schemas. */
  actor?: Actor;
}

const started = new AsyncDisposableStack();

const system = await joinSystem();
const contractId = await activeContract(system.access());
afterAll(async () => await started.disposeAsync());

const byService = (): Actor => {
  const [{ id: workspaceId }] = system.workspaces;
  return { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES };
};

/** A token of the caller for one service, as admission would issue it. */
function bearer(service: string, actor: Actor): string {
  const key = createSecretKey(system.stack.secrets.actorKeys[service as ServiceName], 'hex');
  const origin: Origin = { actor, via: 'graphql', requestId: newId() };
  return `Bearer ${mintActorToken(service as ServiceName, key, origin, new Date())}`;
}

const urlOf = (service: ServiceName): string => `http://127.0.0.1:${system.stack.ports[service]}/graphql`;

const dataSource = (name: string) =>
  new RemoteGraphQLDataSource<Context>({
    url: urlOf(name as ServiceName),
    willSendRequest: ({ request, context: { actor = byService() } }) =>
      request.http?.headers.set('authorization', bearer(name, actor)),
  });

async function composed(): Promise<string> {
  const files = SERVICES.map(async (name) => {
    const text = await readFile(join(repositoryRoot, 'services', name, 'schema.graphql'), 'utf8');
    return { name, url: urlOf(name), typeDefs: parse(text) };
  });
  const { supergraphSdl } = composeServices(await Promise.all(files));
  return supergraphSdl!;
}

/** Fetches the schemas from the subgraphs, as a federation tool does that knows only their addresses. */
const askedFor = () => new IntrospectAndCompose({ subgraphs: SERVICES.map((name) => ({ name, url: urlOf(name) })) });

describe.each([
  ['the committed schemas', composed],
  ['the schemas that the subgraphs tell', () => Promise.resolve(askedFor())],
])('a plain Apollo gateway over %s', (_name, schemas) => {
  let server: ApolloServer<Context>;

  beforeAll(async () => {
    const gateway = new ApolloGateway({
      supergraphSdl: await schemas(),
      buildService: ({ name }) => dataSource(name),
    });
    server = new ApolloServer<Context>({ gateway });
    await server.start();
    started.defer(() => server.stop());
  });

  const ask = async (query: string, variables: Record<string, unknown> = {}, actor = byService()) => {
    const { body } = await server.executeOperation({ query, variables }, { contextValue: { actor } });
    if (body.kind !== 'single') throw new Error('an answer in parts');
    const { data, errors } = body.singleResult;
    return { data, codes: errors?.map(({ extensions }) => extensions?.['code']) };
  };

  it('changes data of one service, and reads across three', async () => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    const approve = `mutation ($id: ID!, $version: String!) {
      approveTimesheet(id: $id, expectedVersion: $version) { status paymentId } }`;
    const { data } = await ask(approve, { id, version });
    expect(data).toMatchObject({ approveTimesheet: { status: 'approved' } });
    const joined = 'query ($id: ID!) { timesheet(id: $id) { contract { title worker { name } } payment { id } } }';
    const contract = { title: 'Made by a test', worker: { name: 'Tess Test' } };
    const payment = { id: (data!['approveTimesheet'] as { paymentId: string }).paymentId };
    expect(await ask(joined, { id })).toEqual({ data: { timesheet: { contract, payment } } });
    expect((await ask(approve, { id, version })).codes).toEqual(['STALE_RESOURCE_VERSION']);
  });

  it('shows what the caller may see, and refuses a request without a token', async () => {
    const team = { ...byService(), kind: 'staff', team: 'read_only', person: 'olga@example.com' } as const;
    expect((await ask('{ ledgerAccounts { account } }', {}, team)).codes).toEqual(['INSUFFICIENT_SCOPE']);
    const elsewhere = { ...byService(), workspaceId: newId() };
    const query = 'query ($id: ID!) { contract(id: $id) { title } }';
    expect((await ask(query, { id: contractId }, elsewhere)).data).toEqual({ contract: null });
    const body = JSON.stringify({ query: '{ business { name } }' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(urlOf('workspaces'), { method: 'POST', headers, body })).status).toBe(401);
  });
});
