import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054204_outbox_new extends Migration {
  override name = 'Migration20261122054204_outbox_new';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "outbox_event_new" on "payments"."outbox_event" ("recorded_at") where due_at is not null and attempt = 0;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "payments"."outbox_event_new";`);
  }
}
