import { MEMBERS, newId, systemOrigin, type Origin } from '@payroll/kernel';
import {
  as,
  CommandRunner,
  defineCommand,
  read,
  sql,
  type Claimed,
  type CommandTransaction,
  type Relay,
  type TableRow,
} from '@payroll/store';
import { currentTraceparent, metrics, startTracing, stepOf } from '@payroll/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThingDatabase, ThingTable } from './databases.js';
import { ANYBODY, counts, eventIn, makeThing, NOTHING, originOf, refusal } from './things.js';

let database: ThingDatabase;
let em: EntityManager;
let workspaceId: string;
let told: Claimed[];
let relay: Relay;

beforeAll(async () => {
  database = await ThingDatabase.open('store_written');
  em = await database.process();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  told = [];
  relay = { isOpen: true, deliver: (events) => Promise.resolve(void told.push(...events)) };
});

const run = <Result>(decide: (tx: CommandTransaction) => Result, origin: Origin = originOf(workspaceId)) =>
  new CommandRunner({ em, relay }).run(defineCommand('do', { who: ANYBODY, decide: (tx) => decide(tx) }), {}, origin);

const thingOf = (tx: CommandTransaction, name: string): TableRow<typeof ThingTable> => ({
  id: newId(),
  workspaceId: tx.workspaceId,
  name,
  createdAt: tx.now,
  updatedAt: tx.now,
});

describe('rows', () => {
  it('are written and found as the command says, and are as it is told', async () => {
    const made = await run((tx) => tx.insert(ThingTable, thingOf(tx, 'made')));
    const renamed = await run(async (tx) =>
      tx.update(ThingTable, (await tx.lock(ThingTable, made.id))!, { name: 'x' }),
    );
    expect(renamed).toEqual({ ...made, name: 'x' });
    expect(await run((tx) => tx.find(ThingTable, { id: made.id }))).toEqual(renamed);
    await run(async (tx) => tx.remove(ThingTable, (await tx.find(ThingTable, { name: 'x' }))!));
    expect(await run((tx) => tx.find(ThingTable, { id: made.id }))).toBeNull();
  });

  it('of another workspace are not there, nor is what has no id', async () => {
    const { id } = await run((tx) => tx.insert(ThingTable, thingOf(tx, 'mine')));
    const stranger = originOf(newId());
    expect(await run((tx) => tx.lock(ThingTable, id), stranger)).toBeNull();
    expect(await run((tx) => tx.find(ThingTable, { id }), stranger)).toBeNull();
    expect(await run((tx) => tx.lock(ThingTable, 'no id'))).toBeNull();
  });
});

interface Emitted {
  consumers: readonly string[];
  isAwaited?: boolean;
}

/** As it is in the outbox, with the seconds from then until it is due. */
async function emitted({ consumers, isAwaited }: Emitted) {
  const event = { type: 'thing.made', aboutId: newId(), body: {}, consumers };
  await run((tx) => tx.emit(isAwaited === undefined ? event : { ...event, isAwaited }));
  const [row] = await read(
    em,
    sql`select ${as('awaiting', 'text[]', sql`awaiting`)}, ${as('attempt', 'int', sql`attempt`)},
        ${as('dueIn', 'int?', sql`round(extract(epoch from due_at - recorded_at))`)},
        ${as('traceparent', 'text?', sql`traceparent`)}
      from outbox_event where about_id = ${event.aboutId}`,
  );
  return row;
}

describe('an event', () => {
  it('is claimed by the process that has it delivered, whose answer waits for it unless it says otherwise', async () => {
    const row = { awaiting: ['review', 'payments'], attempt: 1, dueIn: 10, traceparent: null };
    expect(await emitted({ consumers: ['review', 'payments'] })).toEqual(row);
    await emitted({ consumers: ['review'], isAwaited: false });
    expect(told.map(({ isAwaited, attempt }) => ({ isAwaited, attempt }))).toEqual([
      { isAwaited: true, attempt: 1 },
      { isAwaited: false, attempt: 1 },
    ]);
  });

  it('that cannot go out now is due at once, and is left to whoever looks at the outbox', async () => {
    relay.isOpen = false;
    const row = { awaiting: ['review'], attempt: 0, dueIn: 0, traceparent: null };
    expect(await emitted({ consumers: ['review'] })).toEqual(row);
    expect(told).toEqual([]);
  });

  it('that nobody needs is kept, and never due', async () => {
    expect(await emitted({ consumers: [] })).toMatchObject({ awaiting: [], dueIn: null });
  });

  it('knows the step of the trace that it was emitted in', async () => {
    await using _tracing = await startTracing('contracts', { ratio: 1, exportEveryMs: 60_000 });
    const event = { type: 'thing.made', aboutId: newId(), body: {}, consumers: ['review'] };
    let traceparent: string | undefined;
    const emit = (tx: CommandTransaction): void => {
      traceparent = currentTraceparent();
      tx.emit(event);
    };
    await stepOf(`00-${'1'.repeat(32)}-${'a'.repeat(16)}-01`, 'hear', {}, () => run(emit));
    expect(traceparent).toMatch(/^00-1{32}-/);
    expect(told.map((event) => event.traceparent)).toEqual([traceparent]);
  });
});

it('whoever may only read changes nothing, also where a command asks for no scope', async () => {
  const forMembers = defineCommand('do', { who: MEMBERS, decide: (tx) => tx.insert(ThingTable, thingOf(tx, 'made')) });
  const origin = originOf(workspaceId, newId(), ['read']);
  const reader: Origin = { ...origin, actor: { ...origin.actor, kind: 'person', sessionId: null } };
  const runAs = (as: Origin) => new CommandRunner({ em, relay }).run(forMembers, {}, as);
  await expect(runAs(reader)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  await runAs({ ...reader, actor: { ...reader.actor, scopes: ['read', 'contracts:write'] } });
  expect(await counts(em, workspaceId)).toMatchObject({ thing: 1 });
});

it('an answer waits until what it led to is delivered; a runner, whom nobody asks, does not', async () => {
  const late = Promise.withResolvers<void>();
  relay.deliver = () => late.promise;
  const runner = new CommandRunner({ em, relay });
  const system = { ...makeThing, who: { ...ANYBODY, system: true } };
  await runner.run(system, { name: 'by a runner' }, systemOrigin(workspaceId, 'runner', 'req_x'));
  let isAnswered = false;
  const asked = runner.run(makeThing, { name: 'asked' }, originOf(workspaceId)).then(() => (isAnswered = true));
  await expect.poll(() => counts(em, workspaceId)).toMatchObject({ thing: 2 });
  expect(isAnswered).toBe(false);
  late.resolve();
  await asked;
});

describe('events that arrive', () => {
  const clock = async () =>
    await read(em, sql`select last::text from change_clock where workspace_id = ${workspaceId}`);

  it('are each read for once, also the first, which is asked for before it is known to be new', async () => {
    const asked: string[] = [];
    const find = (_rows: unknown, { name }: { name: string }): Promise<string> =>
      Promise.resolve(`${asked.push(name)} ${name}`);
    const command = defineCommand('do', {
      who: ANYBODY,
      find,
      decide: (tx, _input, found) => tx.insert(ThingTable, thingOf(tx, found)),
    });
    const origin = originOf(workspaceId);
    const arrivals = ['a', 'b'].map(async (name) => ({
      command,
      input: { name },
      event: await eventIn(em, workspaceId),
      origin,
    }));
    await new CommandRunner({ em, relay }).applyAll(await Promise.all(arrivals));
    expect(asked).toEqual(['a', 'b']);
    const names = await read(em, sql`select name from thing where workspace_id = ${workspaceId} order by name`);
    expect(names).toEqual([{ name: '1 a' }, { name: '2 b' }]);
  });

  it('and are refused when they are read for, are refused so', async () => {
    const command = defineCommand('do', {
      who: ANYBODY,
      find: () => Promise.reject(refusal()),
      decide: () => undefined,
    });
    const event = await eventIn(em, workspaceId);
    const apply = new CommandRunner({ em, relay }).apply(command, {}, event, originOf(workspaceId));
    await expect(apply).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });

  it('a second time do not even move the change clock', async () => {
    const event = await eventIn(em, workspaceId);
    const apply = () => new CommandRunner({ em, relay }).apply(makeThing, { name: 'a' }, event, originOf(workspaceId));
    await apply();
    const before = await clock();
    expect(await apply()).toBe('replayed');
    expect(await clock()).toEqual(before);
  });
});

it('each command is counted with what came of it, and each event that it commits', async () => {
  const counted: object[] = [];
  using _commands = metrics.commands.connect({ observe: (labels) => void counted.push(labels) });
  using _committed = metrics.eventsCommitted.connect({ inc: (labels) => void counted.push(labels) });
  const runner = new CommandRunner({ em, relay });
  const [origin, operationId] = [originOf(workspaceId), newId()];
  const asked = () => runner.run(makeThing, { name: 'a' }, origin, operationId);
  await asked();
  await asked();
  await expect(run(() => Promise.reject(refusal()))).rejects.toThrow();
  await expect(run(() => Promise.reject(new TypeError('a mistake')))).rejects.toThrow();
  const [here, lost] = [await eventIn(em, workspaceId), { ...(await eventIn(em, workspaceId)), history: 'another' }];
  await runner.applyAll(
    [here, lost, here].map((event) => ({ command: makeThing, input: { name: 'a' }, event, origin })),
  );
  const made = { type: 'thing.made' };
  expect(counted).toEqual([
    { command: 'makeThing', outcome: 'applied' },
    made,
    { command: 'makeThing', outcome: 'replayed' },
    { command: 'do', outcome: 'refused' },
    { command: 'do', outcome: 'failed' },
    { command: 'makeThing', outcome: 'applied' },
    { command: 'makeThing', outcome: 'elsewhere' },
    { command: 'makeThing', outcome: 'replayed' },
    made,
  ]);
});
