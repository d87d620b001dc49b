import { Migration } from '@mikro-orm/migrations';

export class Migration20261127000000_order_source extends Migration {
  override name = 'Migration20261127000000_order_source';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "payments"."unclaimed_order" add "source_type" text generated always as (split_part(idempotency_key, ':', 1)) stored not null, add "source_id" uuid generated always as (split_part(idempotency_key, ':', 2)::uuid) stored not null;`,
    );
    this.addSql(
      `comment on column "payments"."unclaimed_order"."source_type" is 'The work that the order was for, from its key.';`,
    );
    this.addSql(
      `alter table "payments"."unclaimed_order" add constraint "unclaimed_order_source_type_check" check ("source_type" in ('timesheet', 'milestone'));`,
    );
  }
}
