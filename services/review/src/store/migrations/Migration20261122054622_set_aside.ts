import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054622_set_aside extends Migration {
  override name = 'Migration20261122054622_set_aside';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "review"."set_aside" ("runner" text not null, "workspace_id" uuid not null, "id" uuid not null, "tries" int not null, "reason" text not null, "look_at" timestamptz(6) not null, primary key ("runner", "workspace_id", "id"));`,
    );
    this.addSql(`comment on column "review"."set_aside"."reason" is 'What went wrong the last time.';`);
    this.addSql(
      `comment on column "review"."set_aside"."look_at" is 'When it is tried again. A row long past it is of work that was done since.';`,
    );
    this.addSql(`grant select, insert, update on "review"."set_aside" to "review";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "review"."set_aside" cascade;`);
  }
}
