import { Migration } from '@mikro-orm/migrations';

export class Migration20261130004438_notice_kinds_again extends Migration {
  override name = 'Migration20261130004438_notice_kinds_again';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."notice" validate constraint "notice_kind_check";`);
  }
}
