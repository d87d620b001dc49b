import { createHash } from 'node:crypto';
import { canonicalJson, DomainError, isId, isInstant, toInstant, type Instant } from '@payroll/kernel';
import { sql, type RawBuilder } from 'kysely';

export interface PageRequest {
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
interface Positioned {
  id: string;
  createdAt: string;
  updatedAt: string;
}

interface Position {
  at: Instant;
  id: string;
}

type Order = 'changed' | 'created';

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

  /** The conditions of this page, for a table with `created_at`, `updated_at` and `id`. */
  where(table: string): RawBuilder<boolean> {
    const { after } = this;
    const [at, id] = this.columns(table);
    if (this.order === 'created') {
      return after ? sql`(${at}, ${id}) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`;
    }
    return after
      ? sql`(${at}, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`
      : sql`${at} >= ${this.request.updatedSince}::timestamptz`;
  }

  orderBy(table: string): RawBuilder<unknown> {
    const [at, id] = this.columns(table);
    return this.order === 'created' ? sql`${at} desc, ${id} desc` : sql`${at} asc, ${id} asc`;
  }

  /** One row more than the page holds: whether it is there says whether there is a next page. */
  get rowLimit(): number {
    return this.request.limit + 1;
  }

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
    const at = toInstant(this.order === 'created' ? row.createdAt : row.updatedAt);
    return this.cursorAt({ at, id: row.id });
  }

  /** The digest is of the list and of the place in it, so that no altered cursor passes for one handed out. */
  private cursorAt({ at, id }: Position): string {
    const { workspaceId, filters, updatedSince } = this.request;
    const digest = createHash('sha256')
      .update(canonicalJson([workspaceId, filters, updatedSince ?? null, at, id]))
      .digest('base64url')
      .slice(0, 16);
    return Buffer.from(JSON.stringify([digest, at, id])).toString('base64url');
  }

  private columns(table: string): [RawBuilder<unknown>, RawBuilder<unknown>] {
    const at = this.order === 'created' ? 'created_at' : 'updated_at';
    return [sql.ref(`${table}.${at}`), sql.ref(`${table}.id`)];
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
    if (!isInstant(at) || !isId(id) || this.cursorAt({ at, id }) !== cursor) throw invalidCursor();
    return { at, id };
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
