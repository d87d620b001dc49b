import { Migration } from '@mikro-orm/migrations';

export class Migration20261122223331_by_worker_and_day extends Migration {
  override name = 'Migration20261122223331_by_worker_and_day';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "contract_worker_by_worker" on "payments"."contract_worker" ("workspace_id", "worker_id");`,
    );

    this.addSql(`create index "payment_scheduled" on "payments"."payment" ("workspace_id", "scheduled_date");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "payments"."contract_worker_by_worker";`);

    this.addSql(`drop index "payments"."payment_scheduled";`);
  }
}
