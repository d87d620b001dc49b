import { JsonType, type EntityProperty, type EntitySchemaWithMeta } from '@mikro-orm/core';
import { columnOf, columns, sql, verbatim, type ColumnOf, type Sql, type TableRow } from './sql.js';

/** Values of some columns of a table. */
export type Values<Table> = { readonly [Name in ColumnOf<Table>]?: TableRow<Table>[Name] };

/** The row with these values. */
export function selectRow<Table extends EntitySchemaWithMeta>(
  table: Table,
  key: Values<Table>,
  lock: '' | 'for update' = '',
): Sql<TableRow<Table>> {
  return sql`select ${columns(table)} from ${verbatim(table.tableName)}
    where ${all(equal(table, key), ' and ')} ${verbatim(lock)}`;
}

export function insertRow<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Sql {
  const names = Object.keys(table.properties) as ColumnOf<Table>[];
  const inserted = names.map((name) => sql`${valueOf(table, name, row[name])}`);
  const into = names.map((name) => nameOf(table, name)).join(', ');
  return sql`insert into ${verbatim(table.tableName)} (${verbatim(into)}) values (${all(inserted, ', ')})`;
}

/** By the primary key of `row`. */
export function updateRow<Table extends EntitySchemaWithMeta>(
  table: Table,
  row: TableRow<Table>,
  changes: Values<Table>,
): Sql {
  const set = (Object.keys(changes) as ColumnOf<Table>[]).map(
    (name) => sql`${verbatim(nameOf(table, name))} = ${valueOf(table, name, changes[name])}`,
  );
  return sql`update ${verbatim(table.tableName)} set ${all(set, ', ')} where ${all(equal(table, keyOf(table, row)), ' and ')}`;
}

export function deleteRow<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Sql {
  return sql`delete from ${verbatim(table.tableName)} where ${all(equal(table, keyOf(table, row)), ' and ')}`;
}

function keyOf<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): Values<Table> {
  const primary = Object.keys(table.properties).filter((name) => propertyOf(table, name)?.primary);
  return Object.fromEntries(primary.map((name) => [name, row[name as ColumnOf<Table>]])) as Values<Table>;
}

function propertyOf(table: EntitySchemaWithMeta, name: string): Partial<EntityProperty> | undefined {
  return table.meta.properties[name];
}

function equal<Table extends EntitySchemaWithMeta>(table: Table, values: Values<Table>): Sql[] {
  return Object.entries(values).map(([name, value]) => sql`${columnOf(table, name)} = ${value}`);
}

/** Of JSON, the text: pg takes an array for one of Postgres. */
function valueOf(table: EntitySchemaWithMeta, name: string, value: unknown): unknown {
  const isJson = Object.is(propertyOf(table, name)?.type, JsonType);
  return isJson && value !== null ? JSON.stringify(value) : value;
}

/** A column as INSERT and SET name it: without its table. */
function nameOf(table: EntitySchemaWithMeta, name: string): string {
  return columnOf(table, name).texts[0]!.split('.')[1]!;
}

function all(parts: readonly Sql[], between: string): Sql {
  return parts.reduce((some, next) => sql`${some}${verbatim(between)}${next}`);
}
