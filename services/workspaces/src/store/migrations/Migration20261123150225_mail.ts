import { Migration } from '@mikro-orm/migrations';

export class Migration20261123150225_mail extends Migration {
  override name = 'Migration20261123150225_mail';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."password_reset" ("secret_hash" text not null, "account_id" uuid not null, "expires_at" timestamptz(6) not null, primary key ("secret_hash"));`,
    );
    this.addSql(`create index "password_reset_of_account" on "workspaces"."password_reset" ("account_id");`);

    this.addSql(`grant select, insert, delete on "workspaces"."password_reset" to "workspaces";`);
    this.addSql(`alter table "workspaces"."invitation" add "is_mailed" boolean not null default false;`);
    this.addSql(
      `comment on column "workspaces"."invitation"."is_mailed" is 'Only whoever reads the mail of the address can have the link.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workspaces"."password_reset" cascade;`);

    this.addSql(`alter table "workspaces"."invitation" drop column "is_mailed";`);
  }
}
