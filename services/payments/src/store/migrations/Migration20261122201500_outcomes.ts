import { Migration } from '@mikro-orm/migrations';

export class Migration20261122201500_outcomes extends Migration {
  override name = 'Migration20261122201500_outcomes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."instruction" drop constraint "instruction_kind_check";`);
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_kind_check" check ("kind" in ('funding', 'payout', 'retry', 'was_paid', 'never_paid'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "payments"."instruction" drop constraint "instruction_kind_check";`);
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_kind_check" check ("kind" in ('funding', 'payout', 'retry'));`,
    );
  }
}
