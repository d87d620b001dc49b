import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { type Actor, newId, type Origin, SCOPES, type StaffTeam } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { Commands, writePathTables } from '@payroll/commands';
import { mapDatabaseError, type Schema } from '@payroll/store';
import { TestDatabase } from '../../store/test/databases.js';
import { buildSubgraph } from '../src/graphql/schema.js';
import { createSubgraphServer, parseJsonLines } from '../src/graphql/server.js';
import { ID, Query, Resolver } from 'type-graphql';
import { afterAll, expect, it } from 'vitest';
import { serviceSubgraph } from '../src/definition.js';
import type { ServiceDependencies } from '../src/index.js';

const key = generateKeySync('hmac', { length: 256 });
const schema: Schema = {
  name: 'review',
  tables: [...writePathTables],
  migrations: [],
  migrationsDir: import.meta.dirname,
};
const stack = new AsyncDisposableStack();

@Resolver()
class Things {
  @Query(() => ID)
  thing(): string {
    return 'thing';
  }
}

const em = await stack.use(await TestDatabase.open('service_dead_letters', schema)).process();
const parts = { em, commands: new Commands({ em }) } as ServiceDependencies;
const subgraph = () => ({ resolvers: [new Things()], references: {} });
const server = await createSubgraphServer({
  service: 'review',
  actorTokenKeys: [key],
  schema: (await buildSubgraph(serviceSubgraph({ name: 'review', subgraph, activity: { visibleActions: {} } }, parts)))
    .schema,
  log: createLog('review', 'fatal'),
  mapDatabaseError,
  waitingFor: () => Promise.resolve([]),
});
stack.adopt(server, (open) => open.close());
const post = async <Data>(origin: Origin, query: string) => {
  const token = mintActorToken('review', key, origin, new Date());
  const payload = [{ query, extensions: { token } }];
  const response = await server.inject({ method: 'POST', url: '/graphql', payload });
  return parseJsonLines<{ data?: Data | null; errors?: object[] }>(response.body)[0]!;
};
afterAll(() => stack.disposeAsync());

function staff(workspaceId: string, person = 'olga@example.com', team: StaffTeam = 'operations'): Origin {
  const rights = { principalId: newId(), workspaceId, role: null, scopes: SCOPES };
  return { actor: { ...rights, kind: 'staff', team, person }, via: 'graphql', requestId: 'req_1' };
}

interface Letter {
  id: string;
  state: string;
  reason: string;
  aboutId: string;
  traceId: string;
  story: { step: string; by: string | null; reason: string | null }[];
}

async function plant(workspaceId: string, reason = 'cannot be applied'): Promise<{ id: string; aboutId: string }> {
  const [id, aboutId] = [newId(), newId()];
  const event = JSON.stringify({ id, workspaceId, aboutId, requestId: 'req_0', occurredAt: '2026-11-01T10:00:00Z' });
  await em.execute(
    `insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, traceparent)
     values (?, ?, 'payment.retried', ?, ?, clock_timestamp(), '00-abc-def-01')`,
    [id, workspaceId, event, reason],
  );
  return { id, aboutId };
}

const FIELDS = 'id type publisher consumer state reason aboutId occurredAt requestId traceId story { step by reason }';

async function list(origin: Origin, args = '(limit: 50)') {
  const { data, errors } = await post<{
    reviewDeadLetters: { nodes: Letter[]; hasMore: boolean; nextCursor: string | null };
  }>(origin, `{ reviewDeadLetters${args} { nodes { ${FIELDS} } hasMore nextCursor } }`);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.reviewDeadLetters;
}

const putBack = (origin: Origin, id: string) =>
  post<{ done: Letter }>(origin, `mutation { done: reviewPutBackDeadLetter(id: "${id}") { ${FIELDS} } }`);
const putAside = (origin: Origin, id: string, reason: string) =>
  post<{ done: Letter }>(
    origin,
    `mutation { done: reviewPutAsideDeadLetter(id: "${id}", reason: ${JSON.stringify(reason)}) { ${FIELDS} } }`,
  );

const refusal = (code: string, message = /./) => ({
  errors: [{ message: expect.stringMatching(message) as string, extensions: { code } }],
});

it('lists each dead letter of its own workspace with its history, newest first', async () => {
  const workspaceId = newId();
  const first = await plant(workspaceId, 'the older');
  const second = await plant(workspaceId, 'the newer');
  await plant(newId(), 'foreign');
  const { nodes } = await list(staff(workspaceId));
  expect(nodes.map(({ reason }) => reason)).toEqual(['the newer', 'the older']);
  expect(nodes[0]).toEqual({
    ...{ ...second, type: 'payment.retried', publisher: 'payments', consumer: 'review', state: 'waiting' },
    ...{ reason: 'the newer', occurredAt: '2026-11-01T10:00:00Z', requestId: 'req_0', traceId: 'abc' },
    story: [{ step: 'dead_lettered', by: null, reason: 'the newer' }],
  });
  const about = await list(staff(workspaceId), `(aboutId: "${first.aboutId}")`);
  expect(about.nodes.map(({ id }) => id)).toEqual([first.id]);
});

it('is paged and filtered by state', async () => {
  const workspaceId = newId();
  const planted = [await plant(workspaceId), await plant(workspaceId), await plant(workspaceId)].map(({ id }) => id);
  const page = await list(staff(workspaceId), '(limit: 2)');
  const rest = await list(staff(workspaceId), `(limit: 2, cursor: "${page.nextCursor}")`);
  expect([...page.nodes, ...rest.nodes].map(({ id }) => id)).toEqual(planted.toReversed());
  expect([page.hasMore, rest.hasMore]).toEqual([true, false]);
  await putAside(staff(workspaceId), planted[1]!, 'never mind');
  const inState = async (state: string) =>
    (await list(staff(workspaceId), `(state: ${state})`)).nodes.map(({ id }) => id);
  expect(await inState('waiting')).toEqual([planted[2], planted[0]]);
  expect(await inState('put_aside')).toEqual([planted[1]]);
});

it('a dismissed dead letter shows by whom and why, stays, and can be put back', async () => {
  const origin = staff(newId());
  const { id } = await plant(origin.actor.workspaceId);
  expect((await putAside(origin, id, '  The contract is over. ')).data).toMatchObject({
    done: { id, state: 'put_aside' },
  });
  await putBack(origin, id);
  const [letter] = (await list(origin)).nodes;
  expect(letter).toMatchObject({
    state: 'put_back',
    story: [
      { step: 'dead_lettered', by: null, reason: 'cannot be applied' },
      { step: 'put_aside', by: 'olga@example.com', reason: 'The contract is over.' },
      { step: 'put_back', by: 'olga@example.com', reason: null },
    ],
  });
  const audited = await em.execute('select action, change from audit_entry where subject_id = ? order by at', [id]);
  expect(audited).toEqual([
    { action: 'dead-letter.put-aside', change: { by: 'olga@example.com', reason: 'The contract is over.' } },
    { action: 'dead-letter.put-back', change: { by: 'olga@example.com', reason: null } },
  ]);
});

it('of two people who decide at once one wins, and the other gets the result', async () => {
  const workspaceId = newId();
  const { id } = await plant(workspaceId);
  const [ada, bob] = [staff(workspaceId, 'ada@example.com'), staff(workspaceId, 'bob@example.com')];
  const answers = await Promise.all([putBack(ada, id), putAside(bob, id, 'not needed')]);
  const won = answers.findIndex(({ data }) => data?.done);
  const happened = [/put back since \S+ by ada@example.com$/, /put aside since \S+ by bob@example.com: not needed$/];
  expect(answers[1 - won]).toMatchObject(refusal('INVALID_STATE', happened[won]));
  expect((await list(ada)).nodes[0]!.story).toHaveLength(2);
});

it('a repeated operation is applied once', async () => {
  const origin = staff(newId());
  const { id } = await plant(origin.actor.workspaceId);
  const query = `mutation { reviewPutBackDeadLetter(id: "${id}", operationId: "${newId()}") { state } }`;
  const once = { data: { reviewPutBackDeadLetter: { state: 'put_back' } } };
  expect(await post(origin, query)).toEqual(once);
  expect(await post(origin, query)).toEqual({ ...once, extensions: { replayed: true } });
  expect((await list(origin)).nodes[0]!.story).toHaveLength(2);
});

it.each([
  ['an id that is none', 'x', 'NOT_FOUND'],
  ['an event that is no dead letter', newId(), 'NOT_FOUND'],
])('%s is not found', async (_, id, code) => {
  expect(await putBack(staff(newId()), id)).toMatchObject(refusal(code));
});

it('a dismissal needs a reason and the right workspace', async () => {
  const origin = staff(newId());
  const { id } = await plant(origin.actor.workspaceId);
  expect(await putAside(origin, id, '  ')).toMatchObject(refusal('VALIDATION_FAILED'));
  expect(await putAside(staff(newId()), id, 'why not')).toMatchObject(refusal('NOT_FOUND'));
  expect((await list(origin)).nodes).toMatchObject([{ state: 'waiting' }]);
});

it('support and finance may read what operations decides; keys and the application may not', async () => {
  const workspaceId = newId();
  const { id } = await plant(workspaceId);
  for (const team of ['support', 'finance'] as const) {
    expect((await list(staff(workspaceId, 'sue@example.com', team))).nodes).toHaveLength(1);
    expect(await putBack(staff(workspaceId, 'sue@example.com', team), id)).toMatchObject(refusal('INSUFFICIENT_SCOPE'));
  }
  const { actor, ...origin } = staff(workspaceId);
  const others: Actor[] = [
    { ...actor, kind: 'api_key', role: 'admin' },
    { ...actor, kind: 'service' },
  ];
  for (const other of others) {
    expect(await putBack({ ...origin, actor: other }, id)).toMatchObject(refusal('INSUFFICIENT_SCOPE'));
  }
});
