import { UuidType, type EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { Keyset, type Condition, type Page, type PageRequest, type KeysetRow } from './keyset.js';
import { columnOf, read, sql, rawSql, type ColumnOf, type Sql, type TableRow } from './sql.js';

/** How a table is listed: the columns to select, and what readers see of a row. */
export interface View<Table extends EntitySchemaWithMeta, Row extends object, Node> {
  /** The list's name in cursors, unique among all services. */
  list: string;
  table: Table;
  columns: Sql<Row>;
  toNode: (row: Row) => Node;
}

export function defineView<Table extends EntitySchemaWithMeta, Row extends object, Node>(
  view: View<Table, Row, Node>,
): View<Table, Row, Node> {
  return view;
}

/** A page of a view. Rows match every given filter; a malformed id matches no row. */
export interface ListRequest<Table> extends Omit<PageRequest, 'list' | 'filters'> {
  /** Equal to, where given. */
  where?: { [Name in ColumnOf<Table>]?: TableRow<Table>[Name] | null | undefined };
  /** Other filters, for the cursor, with their SQL conditions. */
  filters?: PageRequest['filters'];
  conditions?: readonly Condition[];
}

export async function list<Table extends EntitySchemaWithMeta, Row extends KeysetRow, Node>(
  em: EntityManager,
  { list: name, table, columns, toNode }: View<Table, Row, Node>,
  { where = {}, filters = {}, conditions = [], ...page }: ListRequest<Table>,
): Promise<Page<Node>> {
  // A filter that was not given is one with no value: a cursor is the same for both.
  const known = Object.entries({ ...where, ...filters }).map(([each, value]) => [each, value ?? null] as const);
  const keyset = new Keyset({ ...page, list: name, filters: Object.fromEntries(known) });
  const given = Object.entries(where).filter(([, value]) => value !== null && value !== undefined);
  const isUuid = (property: string) => Object.is(table.meta.properties[property]?.type, UuidType);
  if (given.some(([property, value]) => isUuid(property) && !isId(value))) return NOTHING;
  const equal = given.map(([property, value]) => sql`${columnOf(table, property)} = ${value}`);
  const select = sql`select ${columns} from ${rawSql(table.tableName)}`;
  return keyset.page(await read(em, keyset.statement(select, table.tableName, [...equal, ...conditions])), toNode);
}

const NOTHING = { nodes: [], hasMore: false, nextCursor: null };
