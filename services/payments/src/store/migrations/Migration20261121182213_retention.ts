import { Migration } from '@mikro-orm/migrations';

export class Migration20261121182213_retention extends Migration {
  override name = 'Migration20261121182213_retention';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "applied_operation_kept" on "payments"."applied_operation" ("applied_at") where outcome is not null;`,
    );

    this.addSql(`create index "inbox_event_applied" on "payments"."inbox_event" ("applied_at");`);

    this.addSql(
      `create index "outbox_event_confirmed" on "payments"."outbox_event" ("recorded_at") where due_at is null;`,
    );
    // Confirmed events and what is known of applied ones are forgotten after a while.
    this.addSql(`grant delete on "payments"."outbox_event" to "payments";`);
    this.addSql(`grant delete on "payments"."inbox_event" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke delete on "payments"."outbox_event", "payments"."inbox_event" from "payments";`);
    this.addSql(`drop index "payments"."applied_operation_kept";`);

    this.addSql(`drop index "payments"."inbox_event_applied";`);

    this.addSql(`drop index "payments"."outbox_event_confirmed";`);
  }
}
