import { Migration } from '@mikro-orm/migrations';

export class Migration20261121084609 extends Migration {
  override name = 'Migration20261121084609';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "contracts";`);
    this.addSql(
      `create table "contracts"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );

    this.addSql(
      `create table "contracts"."audit_entry" ("id" uuid not null, "workspace_id" uuid not null, "at" timestamptz(6) not null, "actor_kind" text not null, "principal_id" uuid not null, "via" text not null, "request_id" text not null, "action" text not null, "subject_id" uuid not null, "change" jsonb not null, primary key ("id"));`,
    );
    this.addSql(`create index "audit_entry_newest" on "contracts"."audit_entry" ("workspace_id", "at", "id");`);
    this.addSql(
      `create index "audit_entry_of_subject" on "contracts"."audit_entry" ("workspace_id", "subject_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_principal" on "contracts"."audit_entry" ("workspace_id", "principal_id", "at", "id");`,
    );

    this.addSql(
      `create table "contracts"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "contracts"."contract" ("workspace_id" uuid not null, "id" uuid not null, "revision" int not null, "title" text not null, "employment_type" text not null, "contract_type" text not null, "status" text not null, "worker_id" uuid null, "start_date" date null, "end_date" date null, "termination_date" date null, "currency" text not null, "rate" numeric null, "payment_due_days" int not null, "auto_pay_enabled" boolean not null, "timesheet_approval_required" boolean not null, "auto_approve_after_days" int null, "draft" jsonb not null, "creator" jsonb null, "created_by_principal" uuid not null, "external_reference" text null, "business_signed_at" timestamptz(6) null, "worker_signed_at" timestamptz(6) null, "cancellation_reason" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, "deleted_at" timestamptz(6) null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "contracts"."contract"."draft" is 'What was agreed while it was a draft, with the defaults of the schema.';`,
    );
    this.addSql(`create index "contract_newest" on "contracts"."contract" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "contract_changed" on "contracts"."contract" ("workspace_id", "updated_at", "id");`);
    this.addSql(
      `create index "contract_newest_by_status" on "contracts"."contract" ("workspace_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "contract_changed_by_status" on "contracts"."contract" ("workspace_id", "status", "updated_at", "id");`,
    );
    this.addSql(`create index "contract_of_worker" on "contracts"."contract" ("workspace_id", "worker_id");`);
    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_external_reference" unique ("workspace_id", "created_by_principal", "external_reference");`,
    );

    this.addSql(
      `create table "contracts"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "contracts"."inbox_event" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "applied_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "contracts"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "awaiting" text[] not null, "attempt" int not null default 0, "due_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "contracts"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(`comment on column "contracts"."outbox_event"."awaiting" is 'Consumers that have not confirmed yet.';`);
    this.addSql(
      `comment on column "contracts"."outbox_event"."due_at" is 'When it is published next; null once every consumer has confirmed.';`,
    );
    this.addSql(`create index "outbox_event_due" on "contracts"."outbox_event" ("due_at") where due_at is not null;`);
    this.addSql(`create index "outbox_event_about" on "contracts"."outbox_event" ("workspace_id", "about_id");`);

    this.addSql(
      `create table "contracts"."worker" ("workspace_id" uuid not null, "id" uuid not null, "name" text not null, "email" text not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`create index "worker_newest" on "contracts"."worker" ("workspace_id", "created_at", "id");`);

    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_employment_type_check" check ("employment_type" in ('employee', 'contractor'));`,
    );
    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_contract_type_check" check ("contract_type" in ('employment_at_will', 'contractor_fixed', 'contractor_milestone', 'contractor_payg', 'contractor_creator'));`,
    );
    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_status_check" check ("status" in ('draft', 'pending_verification', 'ready_for_signature', 'pending_signature', 'signed', 'active', 'offboarding', 'completed', 'cancelled'));`,
    );

    // What the service's role may do; history is append-only for it.
    this.addSql(`grant select, insert, update on "contracts"."change_clock" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."applied_operation" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."outbox_event" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."contract" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."worker" to "contracts";`);
    this.addSql(`grant select, insert on "contracts"."inbox_event" to "contracts";`);
    this.addSql(`grant select, insert on "contracts"."dead_letter" to "contracts";`);
    this.addSql(`grant select, insert on "contracts"."audit_entry" to "contracts";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "contracts"."applied_operation" cascade;`);
    this.addSql(`drop table if exists "contracts"."audit_entry" cascade;`);
    this.addSql(`drop table if exists "contracts"."change_clock" cascade;`);
    this.addSql(`drop table if exists "contracts"."contract" cascade;`);
    this.addSql(`drop table if exists "contracts"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "contracts"."inbox_event" cascade;`);
    this.addSql(`drop table if exists "contracts"."outbox_event" cascade;`);
    this.addSql(`drop table if exists "contracts"."worker" cascade;`);
  }
}
