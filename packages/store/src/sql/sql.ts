import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { UnderscoreNamingStrategy, type EntitySchemaWithMeta, type InferEntity } from '@mikro-orm/core';
import type { CalendarDate, Instant } from '@payroll/kernel';

/** A statement or a piece of one: its text, the values it binds, and the row that its named columns make. */
export class Sql<Row extends object = object> {
  declare readonly row: Row;

  constructor(
    readonly texts: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/** A statement that only reads. Made from the metadata of a table, or said so by the code that wrote it. */
export class Select<Row extends object = object> extends Sql<Row> {
  declare readonly isSelect: true;

  static from<Row extends object>({ texts, values }: Sql<Row>): Select<Row> {
    return new Select(texts, values);
  }
}

/** The row of a statement is that of the columns in it. */
type RowOf<Inserts extends readonly unknown[]> = Inserts extends readonly [infer First, ...infer Rest]
  ? (First extends Sql<infer Row> ? Row : object) & RowOf<Rest>
  : object;

/** SQL as it is written here (ADR 05): pieces in it become text of it, anything else a bound value. */
export function sql<const Inserts extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...inserts: Inserts
): Sql<RowOf<Inserts>> {
  if (!inserts.some((insert) => insert instanceof Sql)) return new Sql(strings, inserts);
  const texts = [strings[0]!];
  const values: unknown[] = [];
  inserts.forEach((insert, n) => {
    if (insert instanceof Sql) {
      const [first = '', ...rest] = insert.texts;
      texts[texts.length - 1] += first;
      texts.push(...rest);
      values.push(...(insert.values as unknown[]));
    } else {
      values.push(insert);
      texts.push('');
    }
    texts[texts.length - 1] += strings[n + 1]!;
  });
  return new Sql(texts, values);
}

/** Inserts our own text verbatim: never text from outside. */
export function rawSql<Row extends object = object>(text: string): Sql<Row> {
  return new Sql([text], []);
}

/** A row as it was read or written. `update` returns the new one; assigning to this one would write nothing. */
export type TableRow<Table> = { readonly [Name in ColumnOf<Table>]: InferEntity<Table>[Name] };
export type ColumnOf<Table> = Extract<keyof InferEntity<Table>, string>;

const naming = new UnderscoreNamingStrategy();

/** Columns of a table, all of them unless some are named, each under the name of its property. */
export function columns<Table extends EntitySchemaWithMeta, Name extends ColumnOf<Table> = ColumnOf<Table>>(
  table: Table,
  ...names: readonly Name[]
): Sql<Pick<TableRow<Table>, Name>> {
  const all = names.length > 0 ? names : Object.keys(table.properties);
  return rawSql(all.map((name) => columnOf(table, name).texts[0] + (isPlain(name) ? '' : ` as "${name}"`)).join(', '));
}

export function columnsExcept<Table extends EntitySchemaWithMeta, Name extends ColumnOf<Table>>(
  table: Table,
  ...without: readonly Name[]
): Sql<Omit<TableRow<Table>, Name>> {
  const hidden: readonly string[] = without;
  const shown = Object.keys(table.properties).filter((name) => !hidden.includes(name));
  return columns(table, ...(shown as Exclude<ColumnOf<Table>, Name>[])) as Sql<Omit<TableRow<Table>, Name>>;
}

export function columnOf<Table extends EntitySchemaWithMeta>(table: Table, name: string): Sql {
  return rawSql(`${table.tableName}.${naming.propertyToColumnName(name)}`);
}

const isPlain = (name: string): boolean => naming.propertyToColumnName(name) === name;

/** The TypeScript type of each Postgres type. */
interface Types {
  boolean: boolean;
  int: number;
  text: string;
  uuid: string;
  /** A decimal string. */
  numeric: string;
  date: CalendarDate;
  timestamptz: Instant;
  'text[]': string[];
}

/** A computed column. Postgres casts it to the type, which is what makes the row's type true; with `?` it may be null. */
export function computed<Name extends string, Type extends keyof Types | `${keyof Types}?`>(
  name: Name,
  type: Type,
  expression: Sql,
): Sql<
  Record<Name, Type extends `${infer Known extends keyof Types}?` ? Types[Known] | null : Types[Type & keyof Types]>
> {
  return sql`(${expression})::${rawSql(type.replace('?', ''))} as ${rawSql(`"${name}"`)}` as never;
}

type Named = Record<'name' | 'text', string>;

const known = new WeakMap<readonly string[], Named>();

/** A statement as `pg` takes it. Its name makes Postgres parse it once per connection; the same text has the same name. */
export function namedQuery({ texts, values }: Sql): Named & { values: unknown[] } {
  let named = known.get(texts);
  if (!named) {
    const text = texts.reduce((before, after, n) => `${before}$${n}${after}`);
    // Postgres keeps 63 characters of a name: 64 hexadecimal digits are one too many.
    known.set(texts, (named = { name: hash('sha256', text, 'base64url'), text }));
  }
  return { ...named, values: values.map(toParameter) };
}

/**
 * Serializes values before sending: in a pipeline pg skips a statement whose values do not serialize and still sends the
 * next ones.
 */
function toParameter(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value;
}

/** The rows of a statement, on any connection, prepared. */
export async function read<Row extends object>(em: EntityManager, statement: Sql<Row>): Promise<Row[]> {
  return (await run(em, statement)).rows as Row[];
}

/** The first row of a statement; null where it has none. */
export async function readOne<Row extends object>(em: EntityManager, statement: Sql<Row>): Promise<Row | null> {
  return (await read(em, statement))[0] ?? null;
}

/** How many rows a statement has written. */
export async function write(em: EntityManager, statement: Sql): Promise<number> {
  return (await run(em, statement)).rowCount ?? 0;
}

async function run(em: EntityManager, statement: Sql) {
  const pool = await em.getConnection().getNativeClient();
  return await pool.query(namedQuery(statement));
}
