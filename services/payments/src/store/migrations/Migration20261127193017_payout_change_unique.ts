import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193017_payout_change_unique extends Migration {
  override name = 'Migration20261127193017_payout_change_unique';

  override up(): void | Promise<void> {
    this.addSql(`alter table "payments"."payee" add constraint "payee_change" unique using index "payee_change";`);
  }
}
