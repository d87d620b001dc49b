import { Commands, type Committed, type EventInGeneration } from '@payroll/commands';
import { MEMBERS_OR_INTERNAL, newId, systemOrigin } from '@payroll/kernel';
import { read, sql } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { thingSchema } from './databases.js';
import { TestDatabase } from '../../store/test/databases.js';
import { counts, eventIn, makeThing, makeUnless, NOTHING, ONCE, originOf, refusal } from './things.js';

let emitted: (readonly Committed[])[];
let commands: Commands;
let workspaceId: string;

const collect = (events: readonly Committed[]): Promise<void> => {
  if (events.length > 0) emitted.push(events);
  return Promise.resolve();
};

const database = await TestDatabase.open('commands_events', thingSchema);
const [em, otherEm] = [await database.process(), await database.process()];
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  emitted = [];
  commands = new Commands({ em, relay: { deliver: collect } });
});

describe('an event', () => {
  it('applied twice has one effect, and its operation is identified by its id and type', async () => {
    const event = await eventIn(em, workspaceId);
    const renamed = { ...makeThing, name: 'thing.make-by-another-name' };
    expect([await commands.apply(makeThing, event), await commands.apply(renamed, event)]).toEqual([
      'applied',
      'replayed',
    ]);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
    expect(emitted).toHaveLength(1);
    expect(
      await read(em, sql`select command, outcome from applied_operation where operation_id = ${event.id}`),
    ).toEqual([{ command: event.type, outcome: null }]);
  });

  it('applied a second time does not even move the change clock', async () => {
    const clock = () => read(em, sql`select last::text from change_clock where workspace_id = ${workspaceId}`);
    const event = await eventIn(em, workspaceId);
    await commands.apply(makeThing, event);
    const before = await clock();
    expect(await commands.apply(makeThing, event)).toBe('replayed');
    expect(await clock()).toEqual(before);
  });

  it('of another database generation has no effect', async () => {
    const event = { ...(await eventIn(em, workspaceId)), generation: 'before the restore' };
    await expect(commands.apply(makeThing, event)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    expect(emitted).toEqual([]);
  });

  it('applied by two processes at once, ten times, has one effect', async () => {
    const event = await eventIn(em, workspaceId);
    const other = new Commands({ em: otherEm });
    const applied = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? commands : other).apply(makeThing, event)),
    );
    expect(applied.toSorted()).toEqual(['applied', ...Array.from({ length: 9 }, () => 'replayed')]);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it.each([refusal(), new TypeError('a mistake of ours')])('that met "%s" can be applied later', async (error) => {
    const event = await eventIn(em, workspaceId);
    let fails = true;
    const command = makeUnless(() => (fails ? error : null));
    await expect(commands.apply(command, event)).rejects.toBe(error);
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    fails = false;
    expect(await commands.apply(command, event)).toBe('applied');
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('is refused if the system may not run its command', async () => {
    const event = await eventIn(em, workspaceId);
    const apply = commands.apply({ ...makeThing, who: MEMBERS_OR_INTERNAL, decide: () => undefined }, event);
    await apply;
    const forKeys = { ...makeThing, who: { ...MEMBERS_OR_INTERNAL, system: false } };
    await expect(commands.apply(forKeys, await eventIn(em, workspaceId))).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    expect(await counts(em, workspaceId)).toEqual({ ...NOTHING, applied_operation: 1 });
  });
});

describe('an emitted event', () => {
  it("is passed to the relay once others can see it, in the database's generation", async () => {
    const seen: unknown[] = [];
    const deliver = async (events: readonly Committed[]): Promise<void> => {
      const ids = events.map(({ event }) => event.id);
      seen.push(...(await read(otherEm, sql`select body from outbox_event where id = any(${ids}::uuid[])`)));
      await collect(events);
    };
    const origin = originOf(workspaceId);
    const { id, at } = await new Commands({ em, relay: { deliver } }).run(makeThing, { name: 'a' }, origin);
    const [[told]] = emitted as [[Committed]];
    const { generation, ...event } = told.event;
    expect(event).toEqual({
      id: expect.any(String) as string,
      type: 'thing.made',
      workspaceId,
      aboutId: id,
      occurredAt: at,
      requestId: origin.requestId,
      body: { name: 'a' },
    } satisfies Omit<EventInGeneration, 'generation'>);
    expect({ ...told, event: generation }).toEqual({
      event: (await eventIn(em, workspaceId)).generation,
      consumers: ['review'],
      traceparent: null,
      isAwaited: true,
    });
    expect(seen).toEqual([{ body: event }]);
  });

  it('is awaited by a command’s answer, but not by a background job', async () => {
    const late = Promise.withResolvers<void>();
    const slow = new Commands({ em, relay: { deliver: () => late.promise } });
    await slow.run(makeThing, { name: 'by a job' }, systemOrigin(workspaceId, 'runner', 'req_x'));
    let isAnswered = false;
    const asked = slow.run(makeThing, { name: 'asked' }, originOf(workspaceId)).then(() => (isAnswered = true));
    await expect.poll(() => counts(em, workspaceId)).toMatchObject({ thing: 2 });
    expect(isAnswered).toBe(false);
    late.resolve();
    await asked;
  });
});
