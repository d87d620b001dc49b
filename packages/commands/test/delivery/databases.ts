import { defineEntity, p, type EntityManager } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import type { ServiceName } from '@payroll/kernel';
import { writePathTables } from '@payroll/commands';
import { openDatabase, type Schema } from '@payroll/store';
import { Client } from 'pg';
import { inject } from 'vitest';

/** The consumer's effects, without a constraint that would hide a duplicate. */
export const SeenTable = defineEntity({
  name: 'Seen',
  tableName: 'seen',
  properties: { id: p.uuid().primary(), sequence: p.integer() },
});

interface Database extends AsyncDisposable {
  em: EntityManager;
}

export interface Databases extends AsyncDisposable {
  payments: Database;
  review: Database;
  /** Restores a backup of this moment: another database with the same rows. */
  restored: (as: string) => Promise<Databases>;
  copy: (as: string) => Promise<void>;
  /** Replaces the database with the copy while processes keep running; the replaced one gets the copy's name. */
  switchTo: (copy: string) => Promise<void>;
}

/** A database with the tables of a publisher (payments) and of a consumer (review), each as its own role. */
export async function openDatabases(name: string): Promise<Databases> {
  const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
  await using owner = new AsyncDisposableStack();
  for (const service of ['payments', 'review'] as const) {
    const orm = await openDatabase(schemaOf(service), ownerUrl, 'payroll_owner');
    owner.defer(() => orm.close());
    // Under mutation testing the same database is used again.
    await orm.schema.refresh();
    await orm.em.execute(
      `grant select, insert, update, delete, truncate on all tables in schema ${service} to ${service}`,
    );
  }
  return await openAs(name, urls);
}

async function openAs(name: string, urls: Record<'payments' | 'review', string>): Promise<Databases> {
  const stack = new AsyncDisposableStack();
  const payments = stack.use(await open('payments', urls.payments));
  const review = stack.use(await open('review', urls.review));
  const restored = async (as: string): Promise<Databases> => {
    await copyDatabase(name, as);
    const moved = (url: string): string => Object.assign(new URL(url), { pathname: as }).href;
    return await openAs(as, { payments: moved(urls.payments), review: moved(urls.review) });
  };
  const copy = (as: string): Promise<void> => copyDatabase(name, as);
  const switchTo = (as: string): Promise<void> => switchDatabase(name, as);
  return { payments, review, restored, copy, switchTo, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A database can only be copied or renamed while no client is connected to it; pools reconnect. */
async function asAdmin(databases: string[], work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client(inject('backends').adminUrl);
  await admin.connect();
  const mayConnect = async (may: boolean): Promise<void> => {
    for (const each of databases) await admin.query(`alter database ${each} allow_connections ${may}`);
  };
  try {
    await mayConnect(false);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = any($1)', [databases]);
    await work(admin);
    await mayConnect(true);
  } finally {
    await admin.end();
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  await asAdmin([from], async (admin) => {
    await admin.query(`drop database if exists ${to} with (force)`);
    await admin.query(`create database ${to} template ${from}`);
  });
}

/** Renames the copy to the database's name: new connections reach the copy, and the old database is out of reach. */
async function switchDatabase(name: string, copy: string): Promise<void> {
  await asAdmin([name, copy], async (admin) => {
    await admin.query(`alter database ${name} rename to ${copy}_lost`);
    await admin.query(`alter database ${copy} rename to ${name}`);
    await admin.query(`alter database ${copy}_lost rename to ${copy}`);
  });
}

async function open(service: ServiceName, url: string): Promise<Database> {
  const orm = await openDatabase(schemaOf(service), url);
  return { em: orm.em, [Symbol.asyncDispose]: () => orm.close() };
}

function schemaOf(name: ServiceName): Schema {
  return { name, tables: [...writePathTables, SeenTable], migrations: [], migrationsDir: import.meta.dirname };
}
