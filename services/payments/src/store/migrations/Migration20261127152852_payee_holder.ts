import { Migration } from '@mikro-orm/migrations';

export class Migration20261127152852_payee_holder extends Migration {
  override name = 'Migration20261127152852_payee_holder';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."payee" add "holder" text null;`);
    this.addSql(
      `comment on column "payments"."payee"."holder" is 'Whose account it is, as its bank has it; null if not given.';`,
    );
  }
}
