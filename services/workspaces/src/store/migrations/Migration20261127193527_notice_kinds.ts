import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193527_notice_kinds extends Migration {
  override name = 'Migration20261127193527_notice_kinds';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."notice" validate constraint "notice_kind_check";`);
  }
}
