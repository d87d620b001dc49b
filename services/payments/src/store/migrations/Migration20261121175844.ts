import { Migration } from '@mikro-orm/migrations';

export class Migration20261121175844 extends Migration {
  override name = 'Migration20261121175844';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "payment_unsettled" on "payments"."payment" ("status") where status in ('pending', 'processing', 'failed');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "payments"."payment_unsettled";`);
  }
}
