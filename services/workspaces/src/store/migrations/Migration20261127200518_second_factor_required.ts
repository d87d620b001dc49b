import { Migration } from '@mikro-orm/migrations';

export class Migration20261127200518_second_factor_required extends Migration {
  override name = 'Migration20261127200518_second_factor_required';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."business" add "second_factor_required" boolean not null default false;`);
    this.addSql(
      `comment on column "workspaces"."business"."second_factor_required" is 'Of admins who act in person.';`,
    );
  }
}
