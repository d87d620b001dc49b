import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { type Actor, INTERNAL_ONLY, newId, type Origin, type Role, SCOPES } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { Commands, defineCommand, writePathTables } from '@payroll/commands';
import { mapDatabaseError, type Schema } from '@payroll/store';
import { TestDatabase } from '../../store/test/databases.js';
import { buildSubgraph } from '../src/graphql/schema.js';
import { createSubgraphServer, parseJsonLines } from '../src/graphql/server.js';
import { Arg, ID, Query, Resolver } from 'type-graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { visibleToAdmins, type ServiceDependencies } from '../src/index.js';
import { serviceSubgraph } from '../src/definition.js';

const key = generateKeySync('hmac', { length: 256 });
const schema: Schema = {
  name: 'contracts',
  tables: [...writePathTables],
  migrations: [],
  migrationsDir: import.meta.dirname,
};
const workspaceId = newId();
const [ada, bob, thing] = [newId(), newId(), newId()];

const rename = defineCommand('rename', {
  who: INTERNAL_ONLY,
  decide: (tx, { id, to }: { id: string; to: string }) => {
    tx.audit('thing.renamed', id, { name: { from: 'before', to }, reason: 'Between us', destination: 'DE89' });
    return Promise.resolve();
  },
});

@Resolver()
class Things {
  @Query(() => ID)
  thing(@Arg('id', () => ID) id: string): string {
    return id;
  }
}

const stack = new AsyncDisposableStack();

interface Entry {
  id: string;
  at: string;
  subjectId: string;
  by: object | null;
  facts: { name: string; from: string | null; to: string | null }[];
}

interface Answer {
  data?: { contractsAuditTrail: Page; contractsActivity: Entry[] } | null;
  errors?: object[];
}

interface Page {
  nodes: Record<string, string>[];
  hasMore: boolean;
  nextCursor: string | null;
}

function staff(principalId: string, workspace = workspaceId): Origin {
  const who = { kind: 'staff', team: 'operations', person: 'olga@example.com' } as const;
  const actor: Actor = { ...who, principalId, workspaceId: workspace, role: null, scopes: SCOPES };
  return { actor, via: 'graphql', requestId: `req_${principalId}` };
}

const em = await stack.use(await TestDatabase.open('service_audit_trail', schema)).process();
const commands = new Commands({ em });
const definition = {
  name: 'contracts',
  schema,
  subgraph: () => ({ resolvers: [new Things()], references: {} }),
  activity: { visibleActions: { 'thing.renamed': visibleToAdmins('name', 'reason') } },
  consumers: () => ({}),
} as const;
const server = await createSubgraphServer({
  service: 'contracts',
  actorTokenKeys: [key],
  schema: (await buildSubgraph(serviceSubgraph(definition, { em } as ServiceDependencies))).schema,
  log: createLog('contracts', 'fatal'),
  mapDatabaseError,
  waitingFor: () => Promise.resolve([]),
});
stack.adopt(server, (open) => open.close());
const post = async (origin: Origin, query: string) => {
  const token = mintActorToken('contracts', key, origin, new Date());
  const payload = [{ query, extensions: { token } }];
  const response = await server.inject({ method: 'POST', url: '/graphql', payload });
  return parseJsonLines<Answer>(response.body)[0]!;
};
for (const to of ['one', 'two', 'three']) await commands.run(rename, { id: thing, to }, staff(ada));
await commands.run(rename, { id: newId(), to: 'else' }, staff(bob));
await commands.run(rename, { id: thing, to: 'foreign' }, staff(ada, newId()));

afterAll(() => stack.disposeAsync());

const FIELDS = 'nodes { actorKind principalId via requestId action subjectId change } hasMore nextCursor';

async function trail(args = '(limit: 50)', origin = staff(ada)): Promise<Page> {
  const { data, errors } = await post(origin, `{ contractsAuditTrail${args} { ${FIELDS} } }`);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.contractsAuditTrail;
}

const changes = ({ nodes }: Page): string[] =>
  nodes.map(({ change }) => (JSON.parse(change!) as { name: { to: string } }).name.to);

it('shows who changed what, through what and in which request, newest first, of its own workspace only', async () => {
  const whole = await trail();
  expect(changes(whole)).toEqual(['else', 'three', 'two', 'one']);
  const { change, ...entry } = whole.nodes[1]!;
  expect(JSON.parse(change!)).toMatchObject({ name: { from: 'before', to: 'three' }, reason: 'Between us' });
  expect(entry).toEqual({
    actorKind: 'staff',
    principalId: ada,
    via: 'graphql',
    requestId: `req_${ada}`,
    action: 'thing.renamed',
    subjectId: thing,
  });
  expect(whole).toMatchObject({ hasMore: false, nextCursor: null });
});

it.each([
  ['subject', () => `subjectId: "${thing}"`, ['three', 'two', 'one']],
  ['principal', () => `principalId: "${bob}"`, ['else']],
  ['both', () => `subjectId: "${thing}", principalId: "${bob}"`, []],
] as const)('is filtered by %s', async (_, filter, expected) => {
  expect(changes(await trail(`(${filter()})`))).toEqual(expected);
});

it('is paged, and a cursor is valid for its own filters only', async () => {
  const first = await trail('(limit: 3)');
  expect(changes(first)).toEqual(['else', 'three', 'two']);
  expect(first.hasMore).toBe(true);
  const rest = await trail(`(limit: 3, cursor: "${first.nextCursor}")`);
  expect([changes(rest), rest.hasMore, rest.nextCursor]).toEqual([['one'], false, null]);
  const { errors } = await post(
    staff(ada),
    `{ contractsAuditTrail(subjectId: "${thing}", cursor: "${first.nextCursor}") { hasMore } }`,
  );
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: [{ path: 'cursor' }] } }]);
});

it('refuses a malformed id', async () => {
  const { errors } = await post(staff(ada), '{ contractsAuditTrail(subjectId: "x") { hasMore } }');
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: [{ path: 'subjectId' }] } }]);
});

it('is for internal teams only', async () => {
  const origin = staff(ada);
  const actor: Actor = { ...origin.actor, kind: 'api_key', role: 'admin' };
  const { errors } = await post({ ...origin, actor }, '{ contractsAuditTrail { hasMore } }');
  expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }]);
});

/** Queries as the application does for a member. */
function member(role: Role, workspace = workspaceId): Origin {
  const rights = { principalId: bob, workspaceId: workspace, role, scopes: ['read'] } as const;
  const actor: Actor = {
    kind: 'person',
    person: 'ada@example.com',
    sessionId: newId(),
    hasRecentPassword: false,
    ...rights,
  };
  return { actor, via: 'web', requestId: 'req_member' };
}

async function activity(origin: Origin, args = ''): Promise<Entry[]> {
  const query = `{ contractsActivity${args} { id at subjectId by { id } facts { name from to } } }`;
  const { data, errors } = await post(origin, query);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.contractsActivity;
}

const named = (entries: Entry[]): unknown[] =>
  entries.map(({ facts }) => facts.find(({ name }) => name === 'name')?.to);

describe('the people of the workspace', () => {
  it('see the entries for their role, without names and reasons of staff', async () => {
    const entries = await activity(member('admin'));
    expect(named(entries)).toEqual(['else', 'three', 'two', 'one']);
    expect(entries[1]).toMatchObject({ subjectId: thing, by: null });
    expect(entries[1]!.facts).toEqual([{ name: 'name', from: 'before', to: 'three' }]);
    expect(await activity(member('viewer'))).toEqual([]);
    expect(named(await activity(member('admin', newId())))).toEqual([]);
  });

  it('page by the position of the last entry alone', async () => {
    const [first, second] = await activity(member('admin'), '(limit: 2)');
    const after = (entry: Entry, more = ''): Promise<Entry[]> =>
      activity(member('admin'), `(before: "${entry.at}", beforeId: "${entry.id}"${more})`);
    expect(named(await after(second!))).toEqual(['two', 'one']);
    expect(named(await after(first!, ', limit: 1'))).toEqual(['three']);
    expect(named(await activity(member('admin'), `(since: "${second!.at}")`))).toEqual(['else', 'three']);
    expect(named(await activity(member('admin'), `(before: "${second!.at}", principalId: "${ada}")`))).toEqual([
      'two',
      'one',
    ]);
    expect(await activity(member('admin'), `(subjectId: "${newId()}")`)).toEqual([]);
  });

  it.each(['limit: 0', 'limit: 102', 'subjectId: "x"', 'beforeId: "x"'])('get INVALID_REQUEST for %s', async (args) => {
    await expect(activity(member('admin'), `(${args})`)).rejects.toThrow('INVALID_REQUEST');
  });

  it('have it to themselves: internal teams use the audit trail', async () => {
    await expect(activity(staff(ada))).rejects.toThrow('INSUFFICIENT_SCOPE');
  });
});
