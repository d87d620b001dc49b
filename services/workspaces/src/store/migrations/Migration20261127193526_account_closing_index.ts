import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193526_account_closing_index extends Migration {
  override name = 'Migration20261127193526_account_closing_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void | Promise<void> {
    this.addSql(`drop index concurrently if exists "workspaces"."account_closing";`);
    this.addSql(
      `create index concurrently "account_closing" on "workspaces"."account" ("closes_at") where closes_at is not null;`,
    );
  }
}
