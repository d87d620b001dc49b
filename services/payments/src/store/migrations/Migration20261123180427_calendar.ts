import { Migration } from '@mikro-orm/migrations';

export class Migration20261123180427_calendar extends Migration {
  override name = 'Migration20261123180427_calendar';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "payments"."calendar" ("workspace_id" uuid not null, "days_ahead" int not null, primary key ("workspace_id"));`,
    );
    this.addSql(`grant select, insert, update on "payments"."calendar" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "payments"."calendar" cascade;`);
  }
}
