import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { expect, it } from 'vitest';
import { sql } from '@payroll/store';
import { Transaction } from './transaction.js';

type Answer = { command: string; rows: object[] };

/** A connection that notes what is sent, and in how many writes; it answers when it is told to, or as Postgres would. */
class Connection {
  readonly sent: string[] = [];
  readonly writes: string[][] = [];
  released: unknown;
  answer = async (text: string): Promise<Answer> => {
    await setImmediate();
    return { command: text.toUpperCase(), rows: [{ text }] };
  };
  private corked: string[] | undefined;

  readonly connection = {
    stream: {
      cork: () => {
        if (this.corked) throw new Error('corked twice');
        this.corked = [];
      },
      uncork: () => {
        this.writes.push(this.corked!);
        this.corked = undefined;
      },
    },
  };

  readonly query = (query: string | { text: string }): Promise<Answer> => {
    const text = typeof query === 'string' ? query : query.text;
    this.sent.push(text);
    if (this.corked) this.corked.push(text);
    else this.writes.push([text]);
    return this.answer(text);
  };

  readonly release = (isBroken: unknown): void => {
    this.released = isBroken;
  };

  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const pool = { connect: () => Promise.resolve(this) };
    const em = { getConnection: () => ({ getNativeClient: () => Promise.resolve(pool) }) };
    return Transaction.run(em as unknown as EntityManager, work);
  }
}

/** Fails one statement, and answers those after it as Postgres does. */
function failing(connection: Connection, statement: string, error: Error): void {
  let hasFailed = false;
  const { answer } = connection;
  connection.answer = async (text) => {
    if (text === statement) {
      hasFailed = true;
      throw error;
    }
    return hasFailed && text === 'commit' ? { command: 'ROLLBACK', rows: [] } : await answer(text);
  };
}

it('what is sent in one turn of the event loop leaves in one write, and no answer is waited for in between', async () => {
  const connection = new Connection();
  const answered = await connection.run(async (transaction) => {
    transaction.write(sql`one`);
    const two = transaction.read(sql`two`);
    await transaction.answered();
    transaction.write(sql`three`);
    await transaction.commit();
    return await two;
  });
  expect(answered).toEqual([{ text: 'two' }]);
  expect(connection.writes).toEqual([
    ['begin', 'one', 'two'],
    ['three', 'commit'],
  ]);
  expect(connection.released).toBe(false);
});

it('what was taken back is not committed, and its connection serves again', async () => {
  const connection = new Connection();
  await connection.run((transaction) => Promise.resolve(transaction.rollback()));
  expect(connection.sent).toEqual(['begin', 'rollback']);
  expect(connection.released).toBe(false);
});

it('what its work throws takes everything back', async () => {
  const connection = new Connection();
  const mistake = new TypeError('a mistake of ours');
  await expect(connection.run(() => Promise.reject(mistake))).rejects.toBe(mistake);
  expect(connection.sent).toEqual(['begin', 'rollback']);
  expect(connection.released).toBe(false);
});

it('what is thrown after it was taken back is not taken back twice', async () => {
  const connection = new Connection();
  const work = (transaction: Transaction): Promise<void> => {
    transaction.rollback();
    return Promise.reject(new Error('after all'));
  };
  await expect(connection.run(work)).rejects.toThrow('after all');
  expect(connection.sent).toEqual(['begin', 'rollback']);
});

it('work that ends with the transaction open has committed nothing, and is told so', async () => {
  const connection = new Connection();
  const work = (transaction: Transaction): Promise<void> => Promise.resolve(transaction.write(sql`one`));
  await expect(connection.run(work)).rejects.toThrow('neither committed nor rolled back');
  expect(connection.sent).toEqual(['begin', 'one', 'rollback']);
  expect(connection.released).toBe(false);
});

it('a failure that nobody waits for fails the commit, and nobody gets its connection', async () => {
  const connection = new Connection();
  const refused = new Error('refused');
  failing(connection, 'one', refused);
  const work = async (transaction: Transaction): Promise<void> => {
    transaction.write(sql`one`);
    transaction.write(sql`two`);
    await transaction.commit();
  };
  await expect(connection.run(work)).rejects.toBe(refused);
  expect(connection.released).toBe(true);
});

it('the first failure is told, whatever its work made of it', async () => {
  const connection = new Connection();
  const refused = new Error('refused');
  failing(connection, 'one', refused);
  const work = async (transaction: Transaction): Promise<void> => {
    await transaction.read(sql`one`).catch(() => undefined);
    throw new Error('what followed from it');
  };
  await expect(connection.run(work)).rejects.toBe(refused);
});

it('what was sent so far is answered before it goes on, and its failure told once', async () => {
  const connection = new Connection();
  const refused = new Error('refused');
  failing(connection, 'one', refused);
  const told: unknown[] = [];
  const work = async (transaction: Transaction): Promise<void> => {
    transaction.write(sql`one`);
    for (const _ of [1, 2]) await transaction.answered().catch((error: unknown) => void told.push(error));
    throw new Error('given up');
  };
  await expect(connection.run(work)).rejects.toThrow('refused');
  expect(told).toEqual([refused]);
});

it('a commit that Postgres answers with ROLLBACK is a failure', async () => {
  const connection = new Connection();
  connection.answer = (text) => Promise.resolve({ command: text === 'commit' ? 'ROLLBACK' : text, rows: [] });
  const work = (transaction: Transaction): Promise<void> => transaction.commit();
  await expect(connection.run(work)).rejects.toThrow('rolled the transaction back');
  expect(connection.sent).toEqual(['begin', 'commit', 'rollback']);
});

it('a connection is given back when everything is answered', async () => {
  const connection = new Connection();
  const late = Promise.withResolvers<Answer>();
  connection.answer = (text) => (text === 'rollback' ? late.promise : Promise.resolve({ command: text, rows: [] }));
  const run = connection.run(() => Promise.reject(new Error('given up')));
  await setImmediate();
  expect(connection.released).toBeUndefined();
  late.resolve({ command: 'ROLLBACK', rows: [] });
  await expect(run).rejects.toThrow('given up');
  expect(connection.released).toBe(false);
});
