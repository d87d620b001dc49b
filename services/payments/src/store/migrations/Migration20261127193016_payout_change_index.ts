import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193016_payout_change_index extends Migration {
  override name = 'Migration20261127193016_payout_change_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void | Promise<void> {
    this.addSql(`drop index concurrently if exists "payments"."payee_change";`);
    this.addSql(`create unique index concurrently "payee_change" on "payments"."payee" ("workspace_id", "change_id");`);
  }
}
