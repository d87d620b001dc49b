import { Migration } from '@mikro-orm/migrations';

export class Migration20261124114041_first_key extends Migration {
  override name = 'Migration20261124114041_first_key';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."signing_key" add "is_first" boolean not null default false;`);
    this.addSql(
      `comment on column "workspaces"."signing_key"."is_first" is 'Made because there was no key; rotations may leave several others in use, of these there is one.';`,
    );
    this.addSql(
      `create unique index "signing_key_first" on "workspaces"."signing_key" ("is_first") where is_first and withdrawn_at is null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "workspaces"."signing_key_first";`);
    this.addSql(`alter table "workspaces"."signing_key" drop column "is_first";`);
  }
}
