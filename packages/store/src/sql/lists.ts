import { hash } from 'node:crypto';
import { UuidType, type EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalJson, DomainError, isId, isInstant, type Instant } from '@payroll/kernel';
import { Sql, sql, rawSql, columnOf, read, type ColumnOf, type TableRow } from './sql.js';

/** Which page of a list, in which order. */
export interface Paging {
  /** Only rows with these ids; a malformed one matches no row. */
  ids?: readonly string[] | null | undefined;
  /** 1–100. */
  limit: number;
  cursor?: string | null | undefined;
  /** Inclusive; turns the order to oldest change first, so that a poller can follow. */
  updatedSince?: string | null | undefined;
  /** Sorts by creation, oldest first. */
  oldestFirst?: boolean | undefined;
}

export interface PageRequest extends Paging {
  /** Its name, of which there is one in all services: two lists may have the same filters, and a cursor is of one. */
  list: string;
  workspaceId: string;
  /** Every filter of the list but `limit`: a cursor is valid for exactly these. */
  filters: Readonly<Record<string, unknown>>;
}

export interface Page<Node> {
  nodes: Node[];
  hasMore: boolean;
  nextCursor: string | null;
}

interface KeysetRow {
  id: string;
  createdAt: string;
  updatedAt: string;
}

interface Position {
  at: Instant;
  id: string;
}

type Condition = Sql | '' | false | null | undefined;

const TIMES = { changed: 'updated_at', created: 'created_at' } as const;

/** A list by position: page N costs what page 1 does. Newest first by default, oldest first with `oldestFirst`, oldest change first with `updatedSince`. */
export class Keyset {
  private readonly order: keyof typeof TIMES;
  private readonly after: Position | null;

  /** @throws DomainError `INVALID_REQUEST` for a limit out of bounds or a cursor of another list. */
  constructor(private readonly request: PageRequest) {
    if (!Number.isInteger(request.limit) || request.limit < 1 || request.limit > 100) {
      const details = [{ path: 'limit', code: 'out_of_range' }];
      throw new DomainError('INVALID_REQUEST', 'limit is a whole number from 1 to 100.', { details });
    }
    this.order = request.updatedSince ? 'changed' : 'created';
    this.after = request.cursor ? this.parse(request.cursor) : null;
  }

  private get isDescending(): boolean {
    return this.order === 'created' && !this.request.oldestFirst;
  }

  /** `select` up to its tables, with the conditions that are given; `table` has `workspace_id`, `id` and both times. */
  statement<Row extends object>(select: Sql<Row>, table: string, conditions: readonly Condition[] = []): Sql<Row> {
    const way = this.isDescending ? 'desc' : 'asc';
    const at = rawSql(`${table}.${TIMES[this.order]}`);
    const id = rawSql(`${table}.id`);
    const { workspaceId, ids } = this.request;
    const these = ids && sql`${id} = any(${ids.filter(isId)}::uuid[])`;
    const all = [sql`${rawSql(table)}.workspace_id = ${workspaceId}`, these, ...conditions];
    const where = [...all.filter((each) => each instanceof Sql), ...this.position(at, id)];
    return sql`${select} where ${where.reduce((some, next) => sql`${some} and ${next}`)}
      order by ${at} ${rawSql(way)}, ${id} ${rawSql(way)} limit ${this.request.limit + 1}`;
  }

  /** Of the statement's rows. One more than the page holds says that there is a next page. */
  page<Row extends KeysetRow, Node>(rows: readonly Row[], toNode: (row: Row) => Node): Page<Node> {
    const hasMore = rows.length > this.request.limit;
    const shown = hasMore ? rows.slice(0, this.request.limit) : rows;
    const last = shown.at(-1);
    const placeOf = ({ id, createdAt, updatedAt }: Row) => ({
      at: this.order === 'created' ? createdAt : updatedAt,
      id,
    });
    return { nodes: shown.map(toNode), hasMore, nextCursor: hasMore && last ? this.cursorAt(placeOf(last)) : null };
  }

  /** The digest covers the list, its order and the position, so that an altered cursor is refused. */
  private cursorAt({ at, id }: Position): string {
    const { list, workspaceId, filters, updatedSince, oldestFirst, ids } = this.request;
    // Only where given: cursors never expire, and those of /v1 were issued without them.
    const more = [...(oldestFirst ? ['oldest first'] : []), ...(ids ? [ids] : [])];
    const place = canonicalJson([list, workspaceId, filters, updatedSince ?? null, at, id, ...more]);
    const digest = hash('sha256', place, 'base64url').slice(0, 16);
    return Buffer.from(JSON.stringify([digest, at, id])).toString('base64url');
  }

  private position(at: Sql, id: Sql): Sql[] {
    const { after, order, request } = this;
    if (after) {
      const there = sql`(${after.at}::timestamptz, ${after.id}::uuid)`;
      return [this.isDescending ? sql`(${at}, ${id}) < ${there}` : sql`(${at}, ${id}) > ${there}`];
    }
    return order === 'created' ? [] : [sql`${at} >= ${request.updatedSince}::timestamptz`];
  }

  private parse(cursor: string): Position {
    let parts: unknown;
    try {
      parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    } catch {
      throw invalidCursor();
    }
    if (!Array.isArray(parts) || parts.length !== 3) throw invalidCursor();
    const [, at, id] = parts as readonly unknown[];
    // Accept only the spelling that was issued: base64url and JSON have several for the same values, and so have instants.
    if (!isInstant(at) || at.length !== INSTANT_LENGTH || !isId(id) || cursor !== this.cursorAt({ at, id }))
      throw invalidCursor();
    return { at, id };
  }
}

/** To the microsecond, as every row's. */
const INSTANT_LENGTH = '2026-01-31T09:30:00.000000Z'.length;

function invalidCursor(): DomainError {
  const message = 'cursor must be the nextCursor of the previous page, with unchanged filters.';
  return new DomainError('INVALID_REQUEST', message, { details: [{ path: 'cursor', code: 'invalid_cursor' }] });
}

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
