import { Migration } from '@mikro-orm/migrations';

export class Migration20261122052919_return_reason extends Migration {
  override name = 'Migration20261122052919_return_reason';

  override up(): void | Promise<void> {
    this.addSql(`alter table "contracts"."contract" add "return_reason" text null;`);
    this.addSql(
      `comment on column "contracts"."contract"."return_reason" is 'Why it was returned to draft; null once submitted again.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "contracts"."contract" drop column "return_reason";`);
  }
}
