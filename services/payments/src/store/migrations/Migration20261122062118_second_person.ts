import { Migration } from '@mikro-orm/migrations';

export class Migration20261122062118_second_person extends Migration {
  override name = 'Migration20261122062118_second_person';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "payments"."payee" add "changed_by" text null, add "changed_at" timestamptz(6) null, add "verified_by" text null;`,
    );
    this.addSql(`comment on column "payments"."payee"."changed_by" is 'Who entered where the money goes.';`);
    this.addSql(
      `comment on column "payments"."payee"."changed_at" is 'When they did; anything older than the row says nothing of it.';`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_second_person_check" check (verified_by is null or changed_by is not null and lower(verified_by) <> lower(changed_by));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "payments"."payee" drop constraint "payee_second_person_check";`);
    this.addSql(
      `alter table "payments"."payee" drop column "changed_by", drop column "changed_at", drop column "verified_by";`,
    );
  }
}
