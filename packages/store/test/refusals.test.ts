import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, unavailable } from '@payroll/kernel';
import { CommandRunner, type Applied, type DomainEvent } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThingDatabase } from './databases.js';
import { counts, eventIn, makeThing, makeUnless, NOTHING, ONCE, originOf, refusal, writeThenThrow } from './things.js';

const REFUSED = { ...NOTHING, applied_operation: 1 };

let database: ThingDatabase;
let em: EntityManager;
let told: (readonly DomainEvent[])[];
let runner: CommandRunner;
let workspaceId: string;

const committed = (events: readonly DomainEvent[]): Promise<void> => Promise.resolve(void told.push(events));

beforeAll(async () => {
  database = await ThingDatabase.open('store_refusals');
  em = await database.process();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = newId();
  told = [];
  runner = new CommandRunner({ em, committed });
});

/** A process to which something happens between its first transaction and its second. */
function interrupted(between: () => Promise<unknown>): CommandRunner {
  let forks = 0;
  const fork = (): EntityManager => {
    const forked = em.fork();
    if (++forks !== 2) return forked;
    const transactional: EntityManager['transactional'] = async (work) => {
      await between();
      return await forked.transactional(work);
    };
    return Object.assign(Object.create(forked) as EntityManager, { transactional });
  };
  return new CommandRunner({ em: Object.assign(Object.create(em) as EntityManager, { fork }), committed });
}

describe('a command that has written by entities, by SQL and for the outbox, and then refuses,', () => {
  it('leaves its refusal and nothing else', async () => {
    const run = runner.run(writeThenThrow(refusal), { name: 'a' }, originOf(workspaceId));
    await expect(run).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(REFUSED);
    expect(told).toEqual([]);
  });

  it('because of an event leaves nothing, so that the event can be applied later', async () => {
    const event = await eventIn(em, workspaceId);
    let refused = true;
    const command = writeThenThrow(() => (refused ? refusal() : null));
    const apply = (): Promise<Applied> => runner.apply(command, { name: 'a' }, event, originOf(workspaceId));
    await expect(apply()).rejects.toMatchObject({ code: refusal().code });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    refused = false;
    expect(await apply()).toBe('applied');
    expect(await counts(em, workspaceId)).toMatchObject({ thing: 3, inbox_event: 1 });
  });
});

it('a command that cannot decide now has decided nothing: sent again it may be applied', async () => {
  const [origin, operationId] = [originOf(workspaceId), newId()];
  let isDown = true;
  const command = makeUnless(() => (isDown ? unavailable('What decides it') : null));
  const run = (): Promise<unknown> => runner.run(command, { name: 'a' }, origin, operationId);
  await expect(run()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await counts(em, workspaceId)).toEqual(NOTHING);
  isDown = false;
  await run();
  expect(await counts(em, workspaceId)).toEqual(ONCE);
});

describe('between the roll-back of a refusal and its record', () => {
  it('another copy of the operation may be applied: then that is what it came to, for both', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let refused = true;
    const command = makeUnless(() => (refused ? refusal() : null));
    const copy = Promise.withResolvers<unknown>();
    const late = interrupted(async () => {
      refused = false;
      copy.resolve(await runner.run(command, { name: 'a' }, origin, operationId));
    });
    expect(await late.run(command, { name: 'a' }, origin, operationId)).toEqual(await copy.promise);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
    expect(told).toHaveLength(1);
  });

  it('another operation with its id may be applied: this one is told so', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    const late = interrupted(() => runner.run(makeThing, { name: 'other' }, origin, operationId));
    const run = late.run(makeUnless(refusal), { name: 'a' }, origin, operationId);
    await expect(run).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('the process may end: nobody was told of a refusal, and a retry is decided anew', async () => {
    const [origin, operationId] = [originOf(workspaceId), newId()];
    let refused = true;
    const command = makeUnless(() => (refused ? refusal() : null));
    const gone = new Error('the process is gone');
    const ends = interrupted(() => Promise.reject(gone));
    await expect(ends.run(command, { name: 'a' }, origin, operationId)).rejects.toBe(gone);
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    refused = false;
    await runner.run(command, { name: 'a' }, origin, operationId);
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });
});

describe('whoever no longer may', () => {
  it('is refused a replay too, and gets it when they may again', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const as = (role: 'admin' | 'viewer', scopes?: ['read', 'timesheets:write']) =>
      runner.run(makeThing, { name: 'a' }, originOf(workspaceId, principalId, scopes, role), operationId);
    const first = await as('admin');
    await expect(as('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(as('admin', ['read', 'timesheets:write'])).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await as('admin')).toEqual(first);
  });

  it('leaves no trace of having asked, so that the operation is decided once they may', async () => {
    const [principalId, operationId] = [newId(), newId()];
    const run = (role: 'admin' | 'viewer') =>
      runner.run(makeThing, { name: 'a' }, originOf(workspaceId, principalId, undefined, role), operationId);
    await expect(run('viewer')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
    await run('admin');
    expect(await counts(em, workspaceId)).toEqual(ONCE);
  });

  it('has no event applied for them', async () => {
    const origin = originOf(workspaceId, undefined, undefined, 'viewer');
    const apply = runner.apply(makeThing, { name: 'a' }, await eventIn(em, workspaceId), origin);
    await expect(apply).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await counts(em, workspaceId)).toEqual(NOTHING);
  });
});
