import { Migration } from '@mikro-orm/migrations';

export class Migration20261121154954 extends Migration {
  override name = 'Migration20261121154954';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "payments"."instruction" ("workspace_id" uuid not null, "id" uuid not null, "kind" text not null, "instructed" jsonb not null, "status" text not null, "requested_by" text not null, "decided_by" text null, "expires_at" timestamptz(6) not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "payments"."instruction"."instructed" is 'What is countersigned, as it was when it was requested.';`,
    );
    this.addSql(`create index "instruction_newest" on "payments"."instruction" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `create index "instruction_newest_by_status" on "payments"."instruction" ("workspace_id", "status", "created_at", "id");`,
    );

    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_second_person_check" check (case status when 'requested' then decided_by is null when 'withdrawn' then decided_by is not null and decided_by = requested_by else decided_by is not null and lower(decided_by) <> lower(requested_by) end);`,
    );
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_kind_check" check ("kind" in ('funding', 'payout', 'retry'));`,
    );
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_status_check" check ("status" in ('requested', 'countersigned', 'declined', 'withdrawn'));`,
    );
    this.addSql(
      `comment on table "payments"."instruction" is 'Orders to move money; who decided is written once, what was asked for never again.';`,
    );
    this.addSql(
      `grant select, insert, update ("status", "decided_by", "updated_at") on "payments"."instruction" to "payments";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "payments"."instruction" cascade;`);
  }
}
