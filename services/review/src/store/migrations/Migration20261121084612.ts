import { Migration } from '@mikro-orm/migrations';

export class Migration20261121084612 extends Migration {
  override name = 'Migration20261121084612';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "review";`);
    this.addSql(
      `create table "review"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );

    this.addSql(
      `create table "review"."audit_entry" ("id" uuid not null, "workspace_id" uuid not null, "at" timestamptz(6) not null, "actor_kind" text not null, "principal_id" uuid not null, "via" text not null, "request_id" text not null, "action" text not null, "subject_id" uuid not null, "change" jsonb not null, primary key ("id"));`,
    );
    this.addSql(`create index "audit_entry_newest" on "review"."audit_entry" ("workspace_id", "at", "id");`);
    this.addSql(
      `create index "audit_entry_of_subject" on "review"."audit_entry" ("workspace_id", "subject_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_principal" on "review"."audit_entry" ("workspace_id", "principal_id", "at", "id");`,
    );

    this.addSql(
      `create table "review"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "review"."contract_terms" ("workspace_id" uuid not null, "contract_id" uuid not null, "revision" int not null, "status" text not null, "currency" text not null, "rate" numeric null, "payment_due_days" int not null, "auto_pay_enabled" boolean not null, "timesheet_approval_required" boolean not null, "auto_approve_after_days" int null, "deleted" boolean not null, primary key ("workspace_id", "contract_id"));`,
    );

    this.addSql(
      `create table "review"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "review"."inbox_event" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "applied_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "review"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "awaiting" text[] not null, "attempt" int not null default 0, "due_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "review"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(`comment on column "review"."outbox_event"."awaiting" is 'Consumers that have not confirmed yet.';`);
    this.addSql(
      `comment on column "review"."outbox_event"."due_at" is 'When it is published next; null once every consumer has confirmed.';`,
    );
    this.addSql(`create index "outbox_event_due" on "review"."outbox_event" ("due_at") where due_at is not null;`);
    this.addSql(`create index "outbox_event_about" on "review"."outbox_event" ("workspace_id", "about_id");`);

    this.addSql(
      `create table "review"."timesheet" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "revision" int not null, "status" text not null, "period_start" date not null, "period_end" date not null, "units_worked" numeric not null, "currency" text not null, "rate" numeric not null, "total" numeric not null, "payment_scheduled_date" date not null, "auto_pay_enabled" boolean not null, "rejection_reason" text null, "payment_id" uuid null, "payment_status" text null, "payment_sequence" int not null, "submitted_at" timestamptz(6) not null, "approve_at" timestamptz(6) null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "review"."timesheet"."payment_sequence" is 'Of the newest payment event seen; older ones are ignored.';`,
    );
    this.addSql(`create index "timesheet_newest" on "review"."timesheet" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "timesheet_changed" on "review"."timesheet" ("workspace_id", "updated_at", "id");`);
    this.addSql(
      `create index "timesheet_newest_by_status" on "review"."timesheet" ("workspace_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "timesheet_changed_by_status" on "review"."timesheet" ("workspace_id", "status", "updated_at", "id");`,
    );
    this.addSql(
      `create index "timesheet_newest_by_contract" on "review"."timesheet" ("workspace_id", "contract_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "timesheet_changed_by_contract" on "review"."timesheet" ("workspace_id", "contract_id", "updated_at", "id");`,
    );

    this.addSql(
      `comment on column "review"."timesheet"."approve_at" is 'When a rule of the contract approves it, should nobody have decided before; null unless submitted.';`,
    );
    this.addSql(
      `create index "timesheet_due_for_approval" on "review"."timesheet" ("approve_at", "id") where approve_at is not null;`,
    );

    this.addSql(
      `create table "review"."milestone" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "revision" int not null, "title" text not null, "description" text null, "status" text not null, "currency" text not null, "amount" numeric not null, "due_date" date null, "payment_date" date null, "rejection_reason" text null, "payment_id" uuid null, "payment_sequence" int not null, "sort_order" int not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "review"."milestone"."payment_sequence" is 'Of the newest payment event seen; older ones are ignored.';`,
    );
    this.addSql(
      `create index "milestone_newest_by_contract" on "review"."milestone" ("workspace_id", "contract_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "milestone_newest_by_contract_and_status" on "review"."milestone" ("workspace_id", "contract_id", "status", "created_at", "id");`,
    );

    this.addSql(
      `alter table "review"."timesheet" add constraint "timesheet_status_check" check ("status" in ('submitted', 'approved', 'rejected'));`,
    );
    this.addSql(
      `alter table "review"."timesheet" add constraint "timesheet_payment_status_check" check ("payment_status" in ('pending', 'processing', 'completed', 'failed', 'cancelled'));`,
    );
    this.addSql(
      `alter table "review"."milestone" add constraint "milestone_status_check" check ("status" in ('pending', 'submitted', 'approved', 'completed', 'paid', 'rejected'));`,
    );

    // What the service's role may do; history is append-only for it.
    this.addSql(`grant select, insert, update on "review"."change_clock" to "review";`);
    this.addSql(`grant select, insert, update on "review"."applied_operation" to "review";`);
    this.addSql(`grant select, insert, update on "review"."outbox_event" to "review";`);
    this.addSql(`grant select, insert, update on "review"."contract_terms" to "review";`);
    this.addSql(`grant select, insert, update on "review"."timesheet" to "review";`);
    this.addSql(`grant select, insert, update on "review"."milestone" to "review";`);
    this.addSql(`grant select, insert on "review"."inbox_event" to "review";`);
    this.addSql(`grant select, insert on "review"."dead_letter" to "review";`);
    this.addSql(`grant select, insert on "review"."audit_entry" to "review";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "review"."applied_operation" cascade;`);
    this.addSql(`drop table if exists "review"."audit_entry" cascade;`);
    this.addSql(`drop table if exists "review"."change_clock" cascade;`);
    this.addSql(`drop table if exists "review"."contract_terms" cascade;`);
    this.addSql(`drop table if exists "review"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "review"."inbox_event" cascade;`);
    this.addSql(`drop table if exists "review"."outbox_event" cascade;`);
    this.addSql(`drop table if exists "review"."timesheet" cascade;`);
    this.addSql(`drop table if exists "review"."milestone" cascade;`);
  }
}
