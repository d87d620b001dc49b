import { Migration } from '@mikro-orm/migrations';

export class Migration20261121182208_retention extends Migration {
  override name = 'Migration20261121182208_retention';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "applied_operation_kept" on "review"."applied_operation" ("applied_at") where outcome is not null;`,
    );

    this.addSql(`create index "inbox_event_applied" on "review"."inbox_event" ("applied_at");`);

    this.addSql(
      `create index "outbox_event_confirmed" on "review"."outbox_event" ("recorded_at") where due_at is null;`,
    );
    // Confirmed events and what is known of applied ones are forgotten after a while.
    this.addSql(`grant delete on "review"."outbox_event" to "review";`);
    this.addSql(`grant delete on "review"."inbox_event" to "review";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke delete on "review"."outbox_event", "review"."inbox_event" from "review";`);
    this.addSql(`drop index "review"."applied_operation_kept";`);

    this.addSql(`drop index "review"."inbox_event_applied";`);

    this.addSql(`drop index "review"."outbox_event_confirmed";`);
  }
}
