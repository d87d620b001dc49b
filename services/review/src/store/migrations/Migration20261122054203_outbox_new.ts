import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054203_outbox_new extends Migration {
  override name = 'Migration20261122054203_outbox_new';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "outbox_event_new" on "review"."outbox_event" ("recorded_at") where due_at is not null and attempt = 0;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "review"."outbox_event_new";`);
  }
}
