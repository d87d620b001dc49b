import { Migration } from '@mikro-orm/migrations';

export class Migration20261121183534_traceparent extends Migration {
  override name = 'Migration20261121183534_traceparent';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."outbox_event" add "traceparent" text null;`);
    this.addSql(
      `comment on column "payments"."outbox_event"."traceparent" is 'The step of a trace that emitted it (W3C Trace Context), where traces are kept.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "payments"."outbox_event" drop column "traceparent";`);
  }
}
