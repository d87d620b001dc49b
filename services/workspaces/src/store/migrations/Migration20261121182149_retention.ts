import { Migration } from '@mikro-orm/migrations';

export class Migration20261121182149_retention extends Migration {
  override name = 'Migration20261121182149_retention';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "applied_operation_kept" on "workspaces"."applied_operation" ("applied_at") where outcome is not null;`,
    );

    this.addSql(`create index "inbox_event_applied" on "workspaces"."inbox_event" ("applied_at");`);

    this.addSql(
      `create index "outbox_event_confirmed" on "workspaces"."outbox_event" ("recorded_at") where due_at is null;`,
    );
    // Confirmed events and what is known of applied ones are forgotten after a while.
    this.addSql(`grant delete on "workspaces"."outbox_event" to "workspaces";`);
    this.addSql(`grant delete on "workspaces"."inbox_event" to "workspaces";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke delete on "workspaces"."outbox_event", "workspaces"."inbox_event" from "workspaces";`);
    this.addSql(`drop index "workspaces"."applied_operation_kept";`);

    this.addSql(`drop index "workspaces"."inbox_event_applied";`);

    this.addSql(`drop index "workspaces"."outbox_event_confirmed";`);
  }
}
