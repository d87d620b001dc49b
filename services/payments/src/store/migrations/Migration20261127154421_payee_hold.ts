import { Migration } from '@mikro-orm/migrations';

export class Migration20261127154421_payee_hold extends Migration {
  override name = 'Migration20261127154421_payee_hold';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."payee" add "held_until" timestamptz(6) null;`);
    this.addSql(
      `comment on column "payments"."payee"."held_until" is 'Nothing is paid there before, by the calendar of the workspace; null if it replaced no verified one.';`,
    );
  }
}
