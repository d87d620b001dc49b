import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054237_set_aside extends Migration {
  override name = 'Migration20261122054237_set_aside';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "payments"."set_aside" ("runner" text not null, "workspace_id" uuid not null, "id" uuid not null, "tries" int not null, "reason" text not null, "look_at" timestamptz(6) not null, primary key ("runner", "workspace_id", "id"));`,
    );
    this.addSql(`comment on column "payments"."set_aside"."reason" is 'What went wrong the last time.';`);
    this.addSql(
      `comment on column "payments"."set_aside"."look_at" is 'When it is tried again. A row long past it is of work that was done since.';`,
    );

    this.addSql(`alter table "payments"."payment" drop constraint "payment_failure_reason_check";`);
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_failure_reason_check" check ("failure_reason" in ('amount_unpayable', 'payee_missing', 'payee_unverified', 'business_unverified', 'insufficient_funds', 'provider_declined'));`,
    );

    this.addSql(`grant select, insert, update on "payments"."set_aside" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "payments"."set_aside" cascade;`);

    this.addSql(`alter table "payments"."payment" drop constraint "payment_failure_reason_check";`);
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_failure_reason_check" check ("failure_reason" in ('payee_missing', 'payee_unverified', 'business_unverified', 'insufficient_funds', 'provider_declined'));`,
    );
  }
}
