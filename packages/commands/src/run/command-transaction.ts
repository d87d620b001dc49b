import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Instant, isId, newId, type Origin } from '@payroll/kernel';
import { currentTraceparent } from '@payroll/telemetry';
import {
  as,
  deleteRow,
  HISTORY,
  insertRow,
  keyOf,
  selectRow,
  sql,
  updateRow,
  type Sql,
  type TableRow,
  type Values,
} from '@payroll/store';
import type { DomainEvent, Emitted, NewEvent } from '../outbox/event.js';
import { insertEvent } from '../outbox/outbox.js';
import { AuditEntryTable } from './tables.js';
import type { Transaction } from './transaction.js';

/** What delivers events as soon as they are committed. Never rejects. */
export interface Relay {
  deliver: (events: readonly Emitted[]) => Promise<void>;
}

/** What commands are decided with. */
export interface Surroundings {
  em: EntityManager;
  /** What publishes events as soon as they are committed; without it they wait for whoever polls the outbox. */
  relay?: Relay;
}

/** Two commands that are to be decided in one transaction name the same thing: the later one has to see the earlier one's. */
export class Entangled extends Error {}

/** The rows of the command's own workspace. */
export class WorkspaceRows {
  constructor(
    protected readonly transaction: Transaction,
    readonly origin: Origin,
    /** What the commands of a shared transaction have named, none of which has written yet. */
    private readonly named?: Set<string>,
  ) {}

  get workspaceId(): string {
    return this.origin.actor.workspaceId;
  }

  find<Table extends EntitySchemaWithMeta>(table: Table, key: Values<Table>): Promise<TableRow<Table> | null> {
    return this.one(table, key, '');
  }

  /** The row with this id, locked until the transaction ends. */
  async lock<Table extends EntitySchemaWithMeta>(table: Table, id: string): Promise<TableRow<Table> | null> {
    const key: object = { id };
    return isId(id) ? await this.one<Table>(table, key, 'for update') : null;
  }

  async read<Row extends object>(statement: Sql<Row>): Promise<Row[]> {
    if (this.named) throw new Entangled();
    return await this.transaction.read(statement);
  }

  /** @throws Entangled when another command of a shared transaction has named it. */
  name(thing: string): void {
    if (this.named?.has(thing)) throw new Entangled();
    this.named?.add(thing);
  }

  private async one<Table extends EntitySchemaWithMeta>(
    table: Table,
    key: Values<Table>,
    lock: '' | 'for update',
  ): Promise<TableRow<Table> | null> {
    const [row] = await this.transaction.read(selectRow(table, { workspaceId: this.workspaceId, ...key }, lock));
    // Ids have several spellings. What is not there, an earlier command may make.
    this.name(nameOf(table, row ? keyOf(table, row) : key));
    return row ?? null;
  }
}

/** Everything written here is in the command's transaction, in this order; nothing of it waits for an answer. */
export class CommandTransaction extends WorkspaceRows {
  private readonly emitted: { emitted: Emitted; stored: Promise<{ generation: string }[]> }[] = [];
  private entities: EntityManager | undefined;
  private isWritten = false;

  constructor(
    transaction: Transaction,
    origin: Origin,
    /** The workspace's change clock: what `createdAt` and `updatedAt` are set to. */
    readonly now: Instant,
    private readonly surroundings: Surroundings,
    /** In a shared transaction, what its commands have named: other rows may have been read for a later one. */
    private readonly mayChange?: ReadonlySet<string>,
  ) {
    super(transaction, origin);
  }

  /** Entities, for commands that are run seldom. They are written when the command returns: its queries do not see them. */
  get em(): EntityManager {
    this.entities ??= this.transaction.entitiesOf(this.surroundings.em);
    return this.entities;
  }

  get hasWritten(): boolean {
    return this.isWritten || this.entities !== undefined;
  }

  async flush(): Promise<void> {
    await this.entities?.flush();
  }

  /** @throws Entangled in a shared transaction: what a statement changes is not known. */
  write(statement: Sql): void {
    if (this.mayChange) throw new Entangled();
    this.send(statement);
  }

  insert<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): TableRow<Table> {
    this.send(insertRow(table, row));
    return row;
  }

  /** @returns the row as it is then. */
  update<Table extends EntitySchemaWithMeta>(
    table: Table,
    row: TableRow<Table>,
    changes: Values<Table>,
  ): TableRow<Table> {
    this.requireNamed(table, row);
    this.send(updateRow(table, row, changes));
    return { ...row, ...changes };
  }

  remove<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): void {
    this.requireNamed(table, row);
    this.send(deleteRow(table, row));
  }

  /** The event joins the transaction: it goes out if, and only if, the change is committed. */
  emit({ type, aboutId, body, consumers, isAwaited = true }: NewEvent): void {
    const { workspaceId, now } = this;
    const id = newId();
    const { requestId } = this.origin;
    const event: DomainEvent = { id, type, workspaceId, aboutId, occurredAt: now, requestId, body };
    const traceparent = currentTraceparent() ?? null;
    this.send(insertEvent(event, consumers, traceparent));
    const stored = this.transaction.read(sql`select ${as('generation', 'text', HISTORY)}`);
    this.emitted.push({ emitted: { event: { ...event, generation: '' }, consumers, traceparent, isAwaited }, stored });
  }

  /** What was emitted, after the commit. */
  async events(): Promise<Emitted[]> {
    return await Promise.all(
      this.emitted.map(async ({ emitted, stored }) => ({
        ...emitted,
        event: { ...emitted.event, ...(await stored)[0]! },
      })),
    );
  }

  audit(action: string, subjectId: string, change: unknown): void {
    const { actor, via, requestId } = this.origin;
    this.insert(AuditEntryTable, {
      id: newId(),
      workspaceId: actor.workspaceId,
      at: this.now,
      actorKind: actor.kind,
      principalId: actor.principalId,
      via,
      requestId,
      action,
      subjectId,
      change,
    });
  }

  private requireNamed<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): void {
    if (this.mayChange && !this.mayChange.has(nameOf(table, keyOf(table, row)))) throw new Entangled();
  }

  private send(statement: Sql): void {
    this.isWritten = true;
    this.transaction.write(statement);
  }
}

function nameOf<Table extends EntitySchemaWithMeta>({ tableName }: Table, key: Values<Table>): string {
  return `${tableName} ${JSON.stringify(key)}`;
}
