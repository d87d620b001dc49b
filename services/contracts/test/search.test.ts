import { newId, type Origin } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { apiKey, Contracts, person, staff } from './support.js';
import { codes, must } from './walk.js';

const contracts = await Contracts.open('contracts_search');
afterAll(() => contracts[Symbol.asyncDispose]());

const workspaceId = newId();
const viewer = person(workspaceId, 'viewer');

async function found(args: string, of = viewer): Promise<string[]> {
  const { nodes } = await must(contracts, of, `{ contracts(${args}) { nodes { title } } }`);
  return (nodes as { title: string }[]).map(({ title }) => title);
}

const create = 'mutation ($input: ContractDraftInput!) { createContractDraft(input: $input) { id } }';
const make = async (input: object): Promise<unknown> =>
  (await must(contracts, apiKey(workspaceId), create, { input }))['id'];
await make({ title: '100% remote_work' });
await make({ title: 'back\\slash' });
await make({ title: '1000 remote works', contractType: 'contractor_payg' });
await make({ title: 'Łódź Øst' });
const id = await make({ title: 'Design', externalReference: 'PO-77' });
const register = 'mutation { registerWorker(name: "Žofia Nováková", email: "z@example.com") { id } }';
const worker = await must(contracts, staff(workspaceId), register);
const assign = 'mutation ($id: ID!, $w: ID!) { assignWorker(contractId: $id, workerId: $w) { id } }';
await must(contracts, staff(workspaceId), assign, { id, w: worker['id'] });

describe('contract search finds', () => {
  it.each([
    ['a part of the title, ignoring case', 'search: "REMOTE"', ['1000 remote works', '100% remote_work']],
    ['wildcards of Postgres, taken literally', 'search: "0%"', ['100% remote_work']],
    ['an underscore, taken literally', 'search: "remote_"', ['100% remote_work']],
    ['a backslash', 'search: "\\\\"', ['back\\slash']],
    ['the name of the worker', 'search: " nová "', ['Design']],
    ['the name typed without accents', 'search: "zofia nova"', ['Design']],
    ['the name typed with other accents', 'search: "zöfia"', ['Design']],
    ['the name as some systems compose it', `search: "${'Žofia Nováková'.normalize('NFD')}"`, ['Design']],
    ['a stroked letter typed without its stroke', 'search: "lodz o"', ['Łódź Øst']],
    ['the reference', 'search: "po-77"', ['Design']],
    ['their type', 'contractType: contractor_payg', ['1000 remote works']],
    ['both', 'search: "design", contractType: contractor_payg', []],
    ['status', 'search: "design", status: active', []],
  ])('%s', async (_, args, titles) => expect(await found(args)).toEqual(titles));

  it('no contract of another workspace', async () => {
    expect(await found('search: "design"', person(newId(), 'admin'))).toEqual([]);
  });
});

it('a search must have 1 to 200 characters, and its cursor is valid only for it', async () => {
  const search = async (args: string): Promise<string[]> =>
    codes(await contracts.graphql(viewer, `{ contracts(${args}) { nextCursor } }`));
  expect(await search('search: "  "')).toEqual(['VALIDATION_FAILED']);
  expect(await search(`search: "${'x'.repeat(201)}"`)).toEqual(['VALIDATION_FAILED']);
  const { nextCursor } = await must(contracts, viewer, '{ contracts(search: "remote", limit: 1) { nextCursor } }');
  expect(await search(`search: "remote", limit: 1, cursor: "${String(nextCursor)}"`)).toEqual([]);
  expect(await search(`search: "remot", cursor: "${String(nextCursor)}"`)).toEqual(['INVALID_REQUEST']);
});

it('a reference with a character that Postgres does not store is refused, not an internal error', async () => {
  const query = 'query ($reference: String) { contracts(externalReference: $reference) { nodes { id } } }';
  const answer = await contracts.graphql(staff(workspaceId), query, { reference: 'PO-\0' });
  expect(codes(answer)).toEqual(['VALIDATION_FAILED']);
});

it('workers are found by a part of their name or address; viewers do not see the address', async () => {
  const member = person(workspaceId, 'member');
  for (const search of ['žofia', 'novakova', '@example']) {
    const list = await must(contracts, member, `{ workers(search: "${search}") { nodes { name email } } }`);
    expect(list).toEqual({ nodes: [{ name: 'Žofia Nováková', email: 'z@example.com' }] });
  }
  expect(await must(contracts, viewer, '{ workers(search: "no such") { nodes { name } } }')).toEqual({ nodes: [] });
  expect(codes(await contracts.graphql(viewer, '{ workers { nodes { email } } }'))).toEqual(['INSUFFICIENT_SCOPE']);
  expect(codes(await contracts.graphql(apiKey(workspaceId), '{ workers { nodes { id } } }'))).toEqual([
    'INSUFFICIENT_SCOPE',
  ]);
});

describe('search ignores fields that the reader may not read', () => {
  const reader = { ...staff(workspaceId), actor: { ...staff(workspaceId).actor, team: 'read_only' } } as Origin;

  it.each(['@example', 'z@', 'example.com'])('a viewer finds no worker by %s of the address', async (search) => {
    expect(await must(contracts, viewer, `{ workers(search: "${search}") { nodes { name } } }`)).toEqual({ nodes: [] });
  });

  it.each(['nová', 'po-77'])('the team read_only finds no contract by %s', async (search) => {
    expect(await found(`search: "${search}"`, reader)).toEqual([]);
    expect(await found('search: "design"', reader)).toEqual(['Design']);
  });
});
