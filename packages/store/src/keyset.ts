import { createHash } from 'node:crypto';
import { canonicalJson, DomainError, isId, isInstant, type Instant } from '@payroll/kernel';
import { Sql, sql, verbatim } from './sql.js';

export interface PageRequest {
  /** Its name, of which there is one in all services: two lists may have the same filters, and a cursor is of one. */
  list: string;
  workspaceId: string;
  /** Every filter of the list but `limit`: a cursor holds for exactly these. */
  filters: Readonly<Record<string, unknown>>;
  /** 1–100. */
  limit: number;
  cursor?: string | null | undefined;
  /** Inclusive; turns the order to oldest change first, so that a poller can follow. */
  updatedSince?: string | null | undefined;
}

export interface Page<Node> {
  nodes: Node[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** What a row must show for its place in the list to be known. */
export interface Positioned {
  id: string;
  createdAt: string;
  updatedAt: string;
}

interface Position {
  at: Instant;
  id: string;
}

/** A filter is one if it is given. */
export type Condition = Sql | '' | false | null | undefined;

type Order = 'changed' | 'created';

const TIMES: Record<Order, string> = { changed: 'updated_at', created: 'created_at' };

/**
 * A list by position, not by offset: page N costs what page 1 does. Newest first by `(created_at, id)`; with
 * `updatedSince`, oldest change first by `(updated_at, id)`.
 */
export class Keyset {
  readonly order: Order;
  private readonly after: Position | null;

  /** @throws DomainError `INVALID_REQUEST` for a limit out of bounds or a cursor that is not of this very list. */
  constructor(private readonly request: PageRequest) {
    if (!Number.isInteger(request.limit) || request.limit < 1 || request.limit > 100) {
      throw new DomainError('INVALID_REQUEST', 'limit is a whole number from 1 to 100.', {
        details: [{ path: 'limit', code: 'out_of_range' }],
      });
    }
    this.order = request.updatedSince ? 'changed' : 'created';
    this.after = request.cursor ? this.parse(request.cursor) : null;
  }

  /**
   * The statement of this page: `select` up to its tables, of which `table` has `workspace_id`, `id` and the two times,
   * where those of the conditions hold that are given.
   */
  statement<Row extends object>(select: Sql<Row>, table: string, conditions: readonly Condition[] = []): Sql<Row> {
    const way = this.order === 'created' ? 'desc' : 'asc';
    const at = verbatim(`${table}.${TIMES[this.order]}`);
    const id = verbatim(`${table}.id`);
    const all = [sql`${verbatim(table)}.workspace_id = ${this.request.workspaceId}`, ...conditions];
    const where = [...all.filter((each) => each instanceof Sql), ...this.position(at, id)];
    return sql`${select} where ${where.reduce((some, next) => sql`${some} and ${next}`)}
      order by ${at} ${verbatim(way)}, ${id} ${verbatim(way)} limit ${this.request.limit + 1}`;
  }

  /** Of the statement's rows. One more than the page holds says that there is a next page. */
  page<Row extends Positioned, Node>(rows: readonly Row[], toNode: (row: Row) => Node): Page<Node> {
    const hasMore = rows.length > this.request.limit;
    const shown = hasMore ? rows.slice(0, this.request.limit) : rows;
    const last = shown.at(-1);
    return {
      nodes: shown.map(toNode),
      hasMore,
      nextCursor: hasMore && last ? this.cursorAfter(last) : null,
    };
  }

  private cursorAfter(row: Positioned): string {
    const at = this.order === 'created' ? row.createdAt : row.updatedAt;
    return this.cursorAt({ at, id: row.id });
  }

  /** The digest is of the list and of the place in it, so that no altered cursor passes for one handed out. */
  private cursorAt({ at, id }: Position, list: readonly string[] = [this.request.list]): string {
    const { workspaceId, filters, updatedSince } = this.request;
    const digest = createHash('sha256')
      .update(canonicalJson([...list, workspaceId, filters, updatedSince ?? null, at, id]))
      .digest('base64url')
      .slice(0, 16);
    return Buffer.from(JSON.stringify([digest, at, id])).toString('base64url');
  }

  private position(at: Sql, id: Sql): Sql[] {
    const { after, order, request } = this;
    if (after) {
      const there = sql`(${after.at}::timestamptz, ${after.id}::uuid)`;
      return [order === 'created' ? sql`(${at}, ${id}) < ${there}` : sql`(${at}, ${id}) > ${there}`];
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
    // Only the one spelling that was handed out: base64url and JSON have several for the same values.
    if (!isInstant(at) || !isId(id) || !this.isOwn(cursor, { at, id })) throw invalidCursor();
    return { at, id };
  }

  /** Cursors never expire, so those of the release before, which did not name their list, hold for this release too. */
  private isOwn(cursor: string, position: Position): boolean {
    return cursor === this.cursorAt(position) || cursor === this.cursorAt(position, []);
  }
}

function invalidCursor(): DomainError {
  return new DomainError(
    'INVALID_REQUEST',
    'cursor must be the nextCursor of the previous page, with unchanged filters.',
    {
      details: [{ path: 'cursor', code: 'invalid_cursor' }],
    },
  );
}
