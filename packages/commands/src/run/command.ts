import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { type CommandPolicy, type ServiceName, type Instant, isId, newId, type Origin } from '@payroll/kernel';
import type { EventBody, EventType, EventTypeFor } from '@payroll/events';
import {
  deleteRow,
  insertRow,
  selectRows,
  type SharedTable,
  sql,
  type Sql,
  type TableRow,
  updateRow,
  type Values,
  type WorkspaceTable,
} from '@payroll/store';
import { currentTraceparent } from '@payroll/runtime';
import { type DomainEvent, type Emitted, type NewEvent, insertEvent } from '../outbox/outbox.js';
import { AuditEntryTable } from '../tables.js';
import type { Reads, Transaction } from './transaction.js';

/** One use case: decided and written in one transaction of one workspace, without network calls. */
export interface Command<Input, Result, Found = unknown> {
  name: string;
  who: CommandPolicy<Input>;
  /** Rows to decide on. Sent in one write with BEGIN; without it, `decide` reads for one more round trip. */
  find?: ((rows: WorkspaceReader, input: Input) => Promise<Found>) | undefined;
  /** Decides and writes. @throws DomainError a refusal: then none of its writes is committed. */
  decide: (tx: CommandTransaction, input: Input, found: Found) => Result | Promise<Result>;
}

export function defineCommand<Input, Result, Found = undefined>(
  name: string,
  parts: Omit<Command<Input, Result, Found>, 'name'>,
): Command<Input, Result> {
  return { name, ...parts } as Command<Input, Result>;
}

/** Applies the events of a type: their bodies are its input. */
export type EventCommand<T extends EventType = EventType> = Command<EventBody<T>, unknown>;

/** One command for each event type that the catalogue routes to the service: a missing one does not compile. */
export type EventCommands<Service extends ServiceName> = { readonly [T in EventTypeFor<Service>]: EventCommand<T> };

export type AppliedBy = { readonly [T in EventType]?: EventCommand<T> };

/** @throws Error for a type that the catalogue of this version routes to other services. */
export function commandFor(appliedBy: AppliedBy, type: EventType): EventCommand {
  const command = appliedBy[type] as EventCommand | undefined;
  if (!command) throw new Error(`${type} is not an event for this service`);
  return command;
}

/** The rows of the command's own workspace. */
export class WorkspaceReader {
  constructor(
    private readonly reads: Reads,
    readonly origin: Origin,
  ) {}

  get workspaceId(): string {
    return this.origin.actor.workspaceId;
  }

  async find<Table extends WorkspaceTable>(table: Table, key: Values<Table>): Promise<TableRow<Table> | null> {
    const [row] = await this.all(table, key);
    return row ?? null;
  }

  /** A row of a table whose rows belong to no workspace. */
  async findAnywhere<Table extends SharedTable>(table: Table, key: Values<Table>): Promise<TableRow<Table> | null> {
    const [row] = await this.reads.select(selectRows(table, key));
    return row ?? null;
  }

  /** The row with this id, locked until the transaction ends. */
  async lock<Table extends WorkspaceTable>(table: Table, id: string): Promise<TableRow<Table> | null> {
    if (!isId(id)) return null;
    const [row] = await this.reads.select(selectRows<Table>(table, this.ofWorkspace({ id }), 'for update'));
    return row ?? null;
  }

  /** The rows with these values, in no order. */
  async all<Table extends WorkspaceTable>(table: Table, where: Values<Table>): Promise<TableRow<Table>[]> {
    return await this.reads.select(selectRows<Table>(table, this.ofWorkspace(where)));
  }

  /** The workspace is set last: a key that names another workspace does not find its rows. */
  private ofWorkspace(key: object): object {
    return { ...key, workspaceId: this.workspaceId };
  }
}

type Stamps = Record<'workspaceId', string> & Record<'createdAt' | 'updatedAt', Instant>;

/** Everything written here is in the command's transaction, in this order, and is sent without waiting for an answer. */
export class CommandTransaction extends WorkspaceReader {
  /** To be delivered after the commit. */
  readonly emitted: Emitted[] = [];

  constructor(
    private readonly transaction: Transaction,
    origin: Origin,
    /** The id of the operation or event being applied. */
    readonly operationId: string,
  ) {
    super(transaction, origin);
  }

  /** The workspace's change clock: what `createdAt` and `updatedAt` are set to. */
  get now(): Instant {
    return this.transaction.now;
  }

  async read<Row extends object>(statement: Sql<Row>): Promise<Row[]> {
    return await this.transaction.read(statement);
  }

  write(statement: Sql): void {
    this.transaction.write(statement);
  }

  /**
   * Waits for the commands of these workspaces, and keeps others from beginning until this one commits: for a command of none that
   * decides about several. By their ids, so that two such commands never wait for each other.
   */
  holdWorkspaces(ids: Sql): void {
    this.write(sql`select from change_clock where workspace_id in (${ids}) order by workspace_id for update`);
  }

  /** Into the command's own workspace, as of now, where the table has columns for them. @returns the row. */
  insert<Table extends EntitySchemaWithMeta>(
    table: Table,
    given: Omit<TableRow<Table>, keyof Stamps>,
  ): TableRow<Table> {
    const stamps: Stamps = { workspaceId: this.workspaceId, createdAt: this.now, updatedAt: this.now };
    const own = Object.entries(stamps).filter(([name]) => Object.hasOwn(table.properties, name));
    const row = { ...given, ...Object.fromEntries(own) } as TableRow<Table>;
    this.write(insertRow(table, row));
    return row;
  }

  /** @returns the updated row. */
  update<Table extends EntitySchemaWithMeta>(
    table: Table,
    row: TableRow<Table>,
    changes: Values<Table>,
  ): TableRow<Table> {
    this.write(updateRow(table, row, changes));
    return { ...row, ...changes };
  }

  remove<Table extends EntitySchemaWithMeta>(table: Table, row: TableRow<Table>): void {
    this.write(deleteRow(table, row));
  }

  /** Writes the event in the transaction: it is delivered if, and only if, the change is committed. */
  emit({ type, aboutId, body, consumers, isAwaited = true }: NewEvent): void {
    const { workspaceId, now } = this;
    const { requestId } = this.origin;
    const event: DomainEvent = { id: newId(), type, workspaceId, aboutId, occurredAt: now, requestId, body };
    const traceparent = currentTraceparent() ?? null;
    this.write(insertEvent(event, consumers, traceparent));
    this.emitted.push({ event, consumers, traceparent, isAwaited });
  }

  audit(action: string, subjectId: string, change: unknown): void {
    const { actor, via, requestId } = this.origin;
    this.insert(AuditEntryTable, {
      id: newId(),
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
}
