import { Migration } from '@mikro-orm/migrations';

export class Migration20261121084614 extends Migration {
  override name = 'Migration20261121084614';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "payments";`);
    this.addSql(
      `create table "payments"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );

    this.addSql(
      `create table "payments"."audit_entry" ("id" uuid not null, "workspace_id" uuid not null, "at" timestamptz(6) not null, "actor_kind" text not null, "principal_id" uuid not null, "via" text not null, "request_id" text not null, "action" text not null, "subject_id" uuid not null, "change" jsonb not null, primary key ("id"));`,
    );
    this.addSql(`create index "audit_entry_newest" on "payments"."audit_entry" ("workspace_id", "at", "id");`);
    this.addSql(
      `create index "audit_entry_of_subject" on "payments"."audit_entry" ("workspace_id", "subject_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_principal" on "payments"."audit_entry" ("workspace_id", "principal_id", "at", "id");`,
    );

    this.addSql(
      `create table "payments"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "payments"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "payments"."inbox_event" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "applied_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "payments"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "awaiting" text[] not null, "attempt" int not null default 0, "due_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "payments"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(`comment on column "payments"."outbox_event"."awaiting" is 'Consumers that have not confirmed yet.';`);
    this.addSql(
      `comment on column "payments"."outbox_event"."due_at" is 'When it is published next; null once every consumer has confirmed.';`,
    );
    this.addSql(`create index "outbox_event_due" on "payments"."outbox_event" ("due_at") where due_at is not null;`);
    this.addSql(`create index "outbox_event_about" on "payments"."outbox_event" ("workspace_id", "about_id");`);

    this.addSql(
      `create table "payments"."payment" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "source_type" text not null, "source_id" uuid not null, "status" text not null, "sequence" int not null, "currency" text not null, "gross" numeric not null, "net" numeric not null, "scheduled_date" date null, "auto_pay_enabled" boolean not null, "processed_at" timestamptz(6) null, "completed_at" timestamptz(6) null, "failure_reason" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "payments"."payment"."sequence" is 'Grows with every status; its events carry it.';`,
    );
    this.addSql(`create index "payment_newest" on "payments"."payment" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "payment_changed" on "payments"."payment" ("workspace_id", "updated_at", "id");`);
    this.addSql(
      `create index "payment_newest_by_status" on "payments"."payment" ("workspace_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "payment_changed_by_status" on "payments"."payment" ("workspace_id", "status", "updated_at", "id");`,
    );
    this.addSql(
      `create index "payment_newest_by_contract" on "payments"."payment" ("workspace_id", "contract_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "payment_changed_by_contract" on "payments"."payment" ("workspace_id", "contract_id", "updated_at", "id");`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_once_per_source" unique ("source_type", "source_id");`,
    );

    this.addSql(
      `alter table "payments"."payment" add constraint "payment_source_type_check" check ("source_type" in ('timesheet', 'milestone'));`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_status_check" check ("status" in ('pending', 'processing', 'completed', 'failed', 'cancelled'));`,
    );

    // What the service's role may do; history is append-only for it.
    this.addSql(`grant select, insert, update on "payments"."change_clock" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."applied_operation" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."outbox_event" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payment" to "payments";`);
    this.addSql(`grant select, insert on "payments"."inbox_event" to "payments";`);
    this.addSql(`grant select, insert on "payments"."dead_letter" to "payments";`);
    this.addSql(`grant select, insert on "payments"."audit_entry" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "payments"."applied_operation" cascade;`);
    this.addSql(`drop table if exists "payments"."audit_entry" cascade;`);
    this.addSql(`drop table if exists "payments"."change_clock" cascade;`);
    this.addSql(`drop table if exists "payments"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "payments"."inbox_event" cascade;`);
    this.addSql(`drop table if exists "payments"."outbox_event" cascade;`);
    this.addSql(`drop table if exists "payments"."payment" cascade;`);
  }
}
