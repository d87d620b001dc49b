import { newId, SCOPES, type Actor, type Role, type Team } from '@payroll/kernel';
import { buildASTSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { FieldPermissions } from './permissions.js';

const schema = buildASTSchema(
  parse(`
    directive @teams(of: [String!]!) on OBJECT | FIELD_DEFINITION
    directive @people(of: [String!]!) on OBJECT | FIELD_DEFINITION
    scalar _Any
    union _Entity = Account
    type Query {
      account: Account @teams(of: ["support", "finance"]) @people(of: ["admin", "viewer"])
      forgotten: String
      mine: Mine @people(of: ["worker"])
      _entities(representations: [_Any!]!): [_Entity]!
    }
    type Mutation {
      close: Account @teams(of: ["finance"])
      sign: Mine @people(of: ["worker"])
    }
    type Mine @people(of: ["worker"]) { text: String account: Account }
    type Account @teams(of: ["support", "finance"]) @people(of: ["admin", "viewer"]) {
      id: ID!
      number: String @teams(of: ["finance"]) @people(of: ["admin"])
      owner: Owner
      more: Account
    }
    type Owner { name: String }
  `),
);
const permissions = new FieldPermissions(schema);

const rights = { principalId: newId(), workspaceId: newId(), role: null, scopes: SCOPES } as const;

function actorOf(team: Team): Actor {
  return team === 'service'
    ? { ...rights, kind: 'service' }
    : { ...rights, kind: 'staff', team, person: 'a@b.example' };
}

const deniedTo = (team: Team, query: string) => (): void => permissions.require(actorOf(team), parse(query));

describe('a team', () => {
  it.each([
    ['support', '{ account { id __typename more { more { id } } } }'],
    ['finance', '{ account { id number } }'],
    ['finance', 'mutation { close { id } }'],
    ['support', '{ __schema { types { name } } __type(name: "Account") { name } }'],
    ['support', 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Account { id } } }'],
  ] as const)('%s may run %s', (team, query) => {
    expect(deniedTo(team, query)).not.toThrow();
  });

  it.each([
    ['support', '{ account { id number } }', 'Account.number'],
    ['support', '{ account { more { more { harmless: number } } } }', 'Account.number'],
    ['support', '{ account { ...Rest } } fragment Rest on Account { number }', 'Account.number'],
    ['support', '{ account { ... on Account @include(if: false) { number } } }', 'Account.number'],
    ['support', 'query A { account { id } } query B { account { number } }', 'Account.number'],
    ['support', '{ _entities(representations: []) { ... on Account { number } } }', 'Account.number'],
    ['support', 'mutation { close { id } }', 'Mutation.close'],
    ['operations', '{ account { id } }', 'Query.account'],
    ['service', '{ account { id } }', 'Query.account'],
  ] as const)('%s is refused %s', (team, query, coordinate) => {
    expect(deniedTo(team, query)).toThrow(`${coordinate} is not for the team ${team}`);
    expect(deniedTo(team, query)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  });

  it.each(['{ forgotten }', '{ account { owner { name } } }'])(
    'nobody is let into what no list covers: %s',
    (query) => {
      expect(deniedTo('finance', query)).toThrow('it is for: nobody');
    },
  );

  it('is decided anew by each team for a document that is remembered', () => {
    const document = parse('{ account { number } }');
    for (let times = 0; times < 2; times++) {
      expect(() => permissions.require(actorOf('finance'), document)).not.toThrow();
      expect(() => permissions.require(actorOf('support'), document)).toThrow('Account.number');
    }
  });
});

describe('a person', () => {
  const asPerson = (role: Role | null, query: string) => (): void =>
    permissions.require(
      { ...rights, kind: 'person', person: 'ada@example.com', role, sessionId: newId(), hasRecentPassword: false },
      parse(query),
    );

  it.each([
    ['viewer', '{ account { id more { __typename } } }'],
    ['admin', '{ account { number } }'],
    ['admin', 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Account { number } } }'],
  ] as const)('who is %s reads %s', (role, query) => {
    expect(asPerson(role, query)).not.toThrow();
  });

  it.each([
    ['viewer', '{ account { number } }', 'Account.number'],
    ['viewer', '{ _entities(representations: []) { ... on Account { number } } }', 'Account.number'],
    ['member', '{ account { id } }', 'Query.account'],
    ['admin', '{ forgotten }', 'Query.forgotten'],
    ['admin', '{ account { owner { name } } }', 'Owner.name'],
    [null, '{ account { id } }', 'Query.account'],
  ] as const)('who is %s is refused %s', (role, query, coordinate) => {
    expect(asPerson(role, query)).toThrow(`${coordinate} is not for the role`);
    expect(asPerson(role, query)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  });

  it('is asked by the command itself whether they may change something, and sees of it what they may read', () => {
    expect(asPerson('viewer', 'mutation { close { id } }')).not.toThrow();
    expect(asPerson('viewer', 'mutation { close { id number } }')).toThrow('Account.number');
  });
});

describe('a worker', () => {
  const asWorker = (query: string) => (): void =>
    permissions.require(
      {
        ...{ ...rights, scopes: [], kind: 'worker', workerId: newId() },
        ...{ person: 'wanda@example.com', sessionId: newId(), hasRecentPassword: true },
      },
      parse(query),
    );

  it.each(['{ mine { text __typename } }', 'mutation { sign { text } }'])('runs %s', (query) => {
    expect(asWorker(query)).not.toThrow();
  });

  it.each([
    ['{ account { id } }', 'Query.account'],
    ['{ forgotten }', 'Query.forgotten'],
    ['{ mine { text } account { id } }', 'Query.account'],
    ['{ mine { text account { id } } }', 'Account.id'],
    ['mutation { close { id } }', 'Mutation.close'],
    ['{ _entities(representations: []) { ... on Mine { text } } }', 'Query._entities'],
    ['{ mine { ... on Mine @include(if: false) { account { id } } } }', 'Account.id'],
  ])('is refused %s', (query, coordinate) => {
    expect(asWorker(query)).toThrow(`${coordinate} is not for workers`);
    expect(asWorker(query)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  });
});

it('an unknown kind of actor is refused every field', () => {
  const planted = { ...rights, kind: 'robot' } as unknown as Actor;
  for (const query of ['{ account { id } }', '{ forgotten }', '{ __typename }', 'mutation { close { id } }']) {
    expect(() => permissions.require(planted, parse(query))).toThrow('not for actors of this kind');
  }
});

it('keys and connections are left to their scopes, and the system to itself', () => {
  for (const kind of ['api_key', 'connection', 'system'] as const) {
    expect(() => permissions.require({ ...rights, kind }, parse('{ forgotten }'))).not.toThrow();
  }
});
