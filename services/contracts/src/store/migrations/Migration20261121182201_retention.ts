import { Migration } from '@mikro-orm/migrations';

export class Migration20261121182201_retention extends Migration {
  override name = 'Migration20261121182201_retention';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "applied_operation_kept" on "contracts"."applied_operation" ("applied_at") where outcome is not null;`,
    );

    this.addSql(`create index "inbox_event_applied" on "contracts"."inbox_event" ("applied_at");`);

    this.addSql(
      `create index "outbox_event_confirmed" on "contracts"."outbox_event" ("recorded_at") where due_at is null;`,
    );
    // Confirmed events and what is known of applied ones are forgotten after a while.
    this.addSql(`grant delete on "contracts"."outbox_event" to "contracts";`);
    this.addSql(`grant delete on "contracts"."inbox_event" to "contracts";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke delete on "contracts"."outbox_event", "contracts"."inbox_event" from "contracts";`);
    this.addSql(`drop index "contracts"."applied_operation_kept";`);

    this.addSql(`drop index "contracts"."inbox_event_applied";`);

    this.addSql(`drop index "contracts"."outbox_event_confirmed";`);
  }
}
