import { Migration } from '@mikro-orm/migrations';

export class Migration20261123180412_calendar extends Migration {
  override name = 'Migration20261123180412_calendar';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "review"."calendar" ("workspace_id" uuid not null, "days_ahead" int not null, primary key ("workspace_id"));`,
    );
    this.addSql(`grant select, insert, update on "review"."calendar" to "review";`);

    this.addSql(`alter table "review"."timesheet" add "days_ahead" int not null default 0;`);
    this.addSql(
      `comment on column "review"."timesheet"."days_ahead" is 'Of a test workspace’s calendar when it was handed in: they count for nothing.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "review"."calendar" cascade;`);

    this.addSql(`alter table "review"."timesheet" drop column "days_ahead";`);
  }
}
