import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Select, sql } from '@payroll/store';
import { expect, it } from 'vitest';
import { Connection, type Reads, type Transaction } from './transaction.js';

type Answer = { command: string; rows: object[] };

/**
 * A client of pg that records the statements and the number of writes; it answers as Postgres would, or as the test
 * says.
 */
class Client {
  readonly sent: string[] = [];
  readonly writes: string[][] = [];
  released: unknown;
  answer = async (text: string): Promise<Answer> => {
    await setImmediate();
    return { command: text.toUpperCase(), rows: [{ text, now: '2026-03-01T12:00:00.000000Z' }] };
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
    const whole = typeof query === 'string' ? query : query.text;
    const text = whole.includes('change_clock') ? 'clock' : whole;
    this.sent.push(text);
    if (this.corked) this.corked.push(text);
    else this.writes.push([text]);
    return this.answer(text);
  };

  readonly release = (isBroken: unknown): void => {
    this.released = isBroken;
  };

  use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const pool = { connect: () => Promise.resolve(this) };
    const em = { getConnection: () => ({ getNativeClient: () => Promise.resolve(pool) }) };
    return Connection.use(em as unknown as EntityManager, work);
  }

  /** Begins with one SELECT and continues in the transaction. */
  transact<T>(work: (transaction: Transaction, connection: Connection) => Promise<T>): Promise<T> {
    return this.use(async (connection) => {
      const { transaction } = await connection.begin('w', (reads) => ({ row: reads.select(Select.from(sql`select`)) }));
      return await work(transaction, connection);
    });
  }

  /** Fails one statement, and answers those after it as Postgres does. */
  fail(statement: string, error: Error): void {
    let hasFailed = false;
    const { answer } = this;
    this.answer = async (text) => {
      if (text === statement) {
        hasFailed = true;
        throw error;
      }
      return hasFailed && text === 'commit' ? { command: 'ROLLBACK', rows: [] } : await answer(text);
    };
  }
}

it('a command is two writes to the socket, without waiting between its statements', async () => {
  const client = new Client();
  await client.transact(async (transaction, connection) => {
    transaction.write(sql`one`);
    transaction.write(sql`two`);
    await connection.commit();
  });
  expect(client.writes).toEqual([
    ['begin', 'clock', 'select'],
    ['one', 'two', 'commit'],
  ]);
  expect(client.released).toBe(false);
});

it('sends only a SELECT before BEGIN is confirmed', async () => {
  const client = new Client();
  const run = client.use(async (connection) => {
    const insert = sql`insert into thing` as Select;
    await connection.begin('w', (reads: Reads) => ({ effect: reads.select(insert) })).then(({ sent }) => sent.effect);
  });
  await expect(run).rejects.toThrow('Only a SELECT');
  expect(client.sent).toEqual(['begin', 'clock', 'rollback']);
});

it('when BEGIN fails, there is no transaction to write with, and the connection is not used again', async () => {
  const client = new Client();
  const cancelled = new Error('cancelled');
  client.fail('begin', cancelled);
  await expect(client.transact(() => Promise.reject(new Error('it was decided')))).rejects.toBe(cancelled);
  expect(client.sent).toEqual(['begin', 'clock', 'select']);
  expect(client.released).toBe(true);
});

it('a rolled back transaction frees its connection', async () => {
  const client = new Client();
  await client.transact((_, connection) => connection.rollback());
  expect(client.sent.at(-1)).toBe('rollback');
  expect(client.released).toBe(false);
});

it('work that throws is rolled back', async () => {
  const client = new Client();
  const mistake = new TypeError('a mistake of ours');
  await expect(client.transact(() => Promise.reject(mistake))).rejects.toBe(mistake);
  expect(client.sent.at(-1)).toBe('rollback');
  expect(client.released).toBe(false);
});

it('throws and rolls back if the work ends with the transaction open', async () => {
  const client = new Client();
  await expect(client.transact((transaction) => Promise.resolve(transaction.write(sql`one`)))).rejects.toThrow(
    'neither committed nor rolled back',
  );
  expect(client.sent.at(-1)).toBe('rollback');
});

it('a failed statement that is not awaited fails the commit and closes the connection', async () => {
  const client = new Client();
  const refused = new Error('refused');
  client.fail('one', refused);
  const work = async (transaction: Transaction, connection: Connection): Promise<void> => {
    transaction.write(sql`one`);
    transaction.write(sql`two`);
    await connection.commit();
  };
  await expect(client.transact(work)).rejects.toBe(refused);
  expect(client.released).toBe(true);
});

it('throws the first failure, not the ones it causes', async () => {
  const client = new Client();
  const refused = new Error('refused');
  client.fail('one', refused);
  const work = async (transaction: Transaction): Promise<void> => {
    await transaction.read(sql`one`).catch(() => undefined);
    throw new Error('a consequence');
  };
  await expect(client.transact(work)).rejects.toBe(refused);
});

it('a commit that Postgres answers with ROLLBACK is a failure', async () => {
  const client = new Client();
  const { answer } = client;
  client.answer = async (text) => ({ ...(await answer(text)), command: 'ROLLBACK' });
  await expect(client.transact((_, connection) => connection.commit())).rejects.toThrow('rolled back');
});

it('a connection goes back to the pool once the roll-back is answered, and not at all when it is cancelled', async () => {
  const client = new Client();
  const { answer } = client;
  const late = Promise.withResolvers<Answer>();
  client.answer = (text) => (text === 'rollback' ? late.promise : answer(text));
  const run = client.transact(() => Promise.reject(new Error('given up')));
  await expect.poll(() => client.sent.at(-1)).toBe('rollback');
  expect(client.released).toBeUndefined();
  late.reject(new Error('cancelled'));
  await expect(run).rejects.toThrow('cancelled');
  expect(client.released).toBe(true);
});

it('a statement by itself is refused while a transaction is open', async () => {
  const client = new Client();
  const run = client.use(async (connection) => {
    await connection.begin('w', () => ({}));
    await connection.writeAlone(sql`insert`);
  });
  await expect(run).rejects.toThrow('A transaction is open');
});

it.each(['commit', 'rollback'] as const)('after %s a transaction sends nothing more', async (end) => {
  const client = new Client();
  const forgotten = await client.transact(async (transaction, connection) => {
    const ended = connection[end]();
    // Postgres would execute it and commit it by itself.
    expect(() => transaction.write(sql`late`)).toThrow('The transaction has ended');
    await ended;
    return transaction;
  });
  expect(() => forgotten.write(sql`late`)).toThrow('The transaction has ended');
  await expect(forgotten.select(Select.from(sql`select`))).rejects.toThrow('The transaction has ended');
  expect(client.sent).toEqual(['begin', 'clock', 'select', end]);
});
