import { JsonType, type EntityProperty, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnOf, columns, Select, Sql, sql, rawSql, type ColumnOf, type TableRow } from './sql.js';

/** Values of some columns of a table. */
export type Values<Table> = { readonly [Name in ColumnOf<Table>]?: TableRow<Table>[Name] };

/** A table whose rows belong to workspaces. */
export type WorkspaceTable = EntitySchemaWithMeta & { readonly properties: { readonly workspaceId: object } };

/** A table whose rows belong to no workspace, such as accounts of people. */
export type SharedTable = EntitySchemaWithMeta & { readonly properties: { readonly workspaceId?: never } };

/** The rows with these values. */
export function selectRows<Table extends EntitySchemaWithMeta>(
  table: Table,
  key: Values<Table>,
  lock: '' | 'for update' = '',
): Select<TableRow<Table>> {
  const from = rawSql(table.tableName);
  const named = Object.entries(key).map(([name, value]) => (value === null ? `${name} is null` : name));
  const texts = cachedTexts(table, ['select', ...named, lock], () => {
    return sql`select ${columns(table)} from ${from} where ${equal(table, key)} ${rawSql(lock)}`;
  });
  return new Select(
    texts,
    Object.values(key).filter((value) => value !== null),
  );
}

export function insertRow<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Sql {
  const names = Object.keys(table.properties) as ColumnOf<Table>[];
  const into = rawSql(table.tableName);
  const texts = cachedTexts(table, ['insert'], () => {
    const listed = rawSql(names.map((name) => nameOf(table, name)).join(', '));
    return sql`insert into ${into} (${listed}) values (${all(
      names.map((name) => sql`${name}`),
      ', ',
    )})`;
  });
  return new Sql(
    texts,
    names.map((name) => valueOf(table, name, row[name])),
  );
}

/** By the primary key of `row`. Leaves out fields without a column, as for a new row: an event of a newer publisher has more. */
export function updateRow<Table extends EntitySchemaWithMeta>(
  table: Table,
  row: TableRow<Table>,
  changes: Values<Table>,
): Sql {
  const names = Object.keys(changes).filter((name) => Object.hasOwn(table.properties, name)) as ColumnOf<Table>[];
  const key = keyOf(table, row);
  const texts = cachedTexts(table, ['update', ...names], () => {
    const set = names.map((name) => sql`${rawSql(nameOf(table, name))} = ${name}`);
    return sql`update ${rawSql(table.tableName)} set ${all(set, ', ')} where ${equal(table, key)}`;
  });
  return new Sql(texts, [...names.map((name) => valueOf(table, name, changes[name])), ...Object.values(key)]);
}

export function deleteRow<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Sql {
  return sql`delete from ${rawSql(table.tableName)} where ${equal(table, keyOf(table, row))}`;
}

const known = new WeakMap<EntitySchemaWithMeta, Map<string, readonly string[]>>();

/** Put together once: the text of a statement depends on its table and on what it names, and on no value but null. */
function cachedTexts(table: EntitySchemaWithMeta, named: readonly string[], make: () => Sql): readonly string[] {
  let ofTable = known.get(table);
  if (!ofTable) known.set(table, (ofTable = new Map<string, readonly string[]>()));
  const key = named.join(' ');
  let texts = ofTable.get(key);
  if (!texts) ofTable.set(key, (texts = make().texts));
  return texts;
}

/** The values of its primary key. */
export function keyOf<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Values<Table> {
  const primary = Object.keys(table.properties).filter((name) => propertyOf(table, name)?.primary);
  return Object.fromEntries(primary.map((name) => [name, row[name as ColumnOf<Table>]])) as Values<Table>;
}

function propertyOf(table: EntitySchemaWithMeta, name: string): Partial<EntityProperty> | undefined {
  return table.meta.properties[name];
}

function equal<Table extends EntitySchemaWithMeta>(table: Table, values: Values<Table>): Sql {
  const each = Object.entries(values).map(([name, value]) => {
    const column = columnOf(table, name);
    return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
  });
  return all(each, ' and ');
}

/** Serializes JSON: pg would send an array as a Postgres array. */
function valueOf(table: EntitySchemaWithMeta, name: string, value: unknown): unknown {
  const isJson = Object.is(propertyOf(table, name)?.type, JsonType);
  return isJson && value !== null ? JSON.stringify(value) : value;
}

/** A column as INSERT and SET name it: without its table. */
function nameOf(table: EntitySchemaWithMeta, name: string): string {
  return columnOf(table, name).texts[0]!.split('.')[1]!;
}

function all(parts: readonly Sql[], between: string): Sql {
  return parts.reduce((some, next) => sql`${some}${rawSql(between)}${next}`);
}
