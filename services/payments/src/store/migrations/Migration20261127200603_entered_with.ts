import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200603_entered_with extends Migration {
  override name = 'Migration20261127200603_entered_with';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."payee" add "entered_with" uuid null;`);
    this.addSql(
      `comment on column "payments"."payee"."entered_with" is 'The access of the worker who entered it; null where somebody else did, or before this was kept.';`,
    );
  }
}
