import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { createDatabase } from '@payroll/infra/test-server';
import { type Actor, INTERNAL, newId, type Origin, SCOPES } from '@payroll/kernel';
import { createLog } from '@payroll/process';
import {
  asDomainError,
  CommandRunner,
  defineCommand,
  defineSchema,
  openDatabase,
  writePathTables,
} from '@payroll/store';
import { buildSubgraph, createSubgraphServer, readAnswers } from '@payroll/subgraph';
import { Arg, ID, Query, Resolver } from 'type-graphql';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { ServiceParts } from '../src/index.js';
import { serviceSubgraph } from '../src/definition.js';

const key = generateKeySync('hmac', { length: 256 });
const schema = defineSchema({
  name: 'contracts',
  tables: [...writePathTables],
  migrations: [],
  migrationsDir: import.meta.dirname,
});
const workspaceId = newId();
const [ada, bob, thing] = [newId(), newId(), newId()];

const rename = defineCommand('rename', INTERNAL, (tx, { id, to }: { id: string; to: string }) => {
  tx.audit('thing.renamed', id, { name: { from: 'before', to } });
  return Promise.resolve();
});

@Resolver()
class Things {
  @Query(() => ID)
  thing(@Arg('id', () => ID) id: string): string {
    return id;
  }
}

const stack = new AsyncDisposableStack();
let commands: CommandRunner;
let post: (
  origin: Origin,
  query: string,
) => Promise<{ data?: { contractsAuditTrail: Page } | null; errors?: object[] }>;

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

beforeAll(async () => {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), 'service_audit_trail');
  const owner = await openDatabase(schema, ownerUrl, 'payroll_owner');
  await owner.schema.create();
  await owner.em.execute('grant select, insert, update on all tables in schema contracts to contracts');
  await owner.close();
  const orm = stack.adopt(await openDatabase(schema, urls.contracts), (open) => open.close());
  const em = orm.em.fork();
  commands = new CommandRunner({ em });
  const definition = {
    name: 'contracts',
    schema,
    subgraph: () => ({ resolvers: [new Things()], references: {} }),
    consumers: () => ({}),
  } as const;
  const server = await createSubgraphServer({
    service: 'contracts',
    actorKey: key,
    schema: (await buildSubgraph(serviceSubgraph(definition, { em } as ServiceParts))).schema,
    log: createLog('contracts', 'fatal'),
    asDomainError,
    waitingFor: () => Promise.resolve([]),
  });
  stack.adopt(server, (open) => open.close());
  post = async (origin, query) => {
    const token = mintActorToken('contracts', key, origin, new Date());
    const response = await server.inject({ method: 'POST', url: '/graphql', payload: [{ token, query }] });
    return readAnswers<Awaited<ReturnType<typeof post>>>(response.body)[0]!;
  };
  for (const to of ['one', 'two', 'three']) await commands.run(rename, { id: thing, to }, staff(ada));
  await commands.run(rename, { id: newId(), to: 'else' }, staff(bob));
  await commands.run(rename, { id: thing, to: 'foreign' }, staff(ada, newId()));
});

afterAll(() => stack.disposeAsync());

const FIELDS = 'nodes { actorKind principalId via requestId action subjectId change } hasMore nextCursor';

async function trail(args = '(limit: 50)', origin = staff(ada)): Promise<Page> {
  const { data, errors } = await post(origin, `{ contractsAuditTrail${args} { ${FIELDS} } }`);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.contractsAuditTrail;
}

const changes = ({ nodes }: Page): string[] =>
  nodes.map(({ change }) => (JSON.parse(change!) as { name: { to: string } }).name.to);

it('tells who changed what, through what and in which request, newest first, of the own workspace only', async () => {
  const whole = await trail();
  expect(changes(whole)).toEqual(['else', 'three', 'two', 'one']);
  const { change, ...entry } = whole.nodes[1]!;
  expect(JSON.parse(change!)).toEqual({ name: { from: 'before', to: 'three' } });
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
] as const)('is narrowed down by %s', async (_, filter, expected) => {
  expect(changes(await trail(`(${filter()})`))).toEqual(expected);
});

it('is read page by page, and a cursor holds for its own filters only', async () => {
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

it('refuses what is no id', async () => {
  const { errors } = await post(staff(ada), '{ contractsAuditTrail(subjectId: "x") { hasMore } }');
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST', details: [{ path: 'subjectId' }] } }]);
});

it('is for internal teams only', async () => {
  const origin = staff(ada);
  const actor: Actor = { ...origin.actor, kind: 'api_key', role: 'admin' };
  const { errors } = await post({ ...origin, actor }, '{ contractsAuditTrail { hasMore } }');
  expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }]);
});
