import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_first extends Migration {
  override name = 'Migration20261124000000_first';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "contracts";`);
    this.addSql(
      `create table "contracts"."agreement" ("workspace_id" uuid not null, "contract_id" uuid not null, "number" int not null, "text" text not null, "digest" text not null, "holds_from" date null, "made_at" timestamptz(6) not null, "made_by" uuid not null, "business_signed_at" timestamptz(6) null, "business_signed_by" uuid null, "worker_signed_at" timestamptz(6) null, "worker_signed_by" uuid null, primary key ("workspace_id", "contract_id", "number"));`,
    );
    this.addSql(`comment on column "contracts"."agreement"."digest" is 'SHA-256 of the text; what is signed.';`);
    this.addSql(
      `comment on column "contracts"."agreement"."holds_from" is 'Of an amendment; the contract says itself when it begins.';`,
    );
    this.addSql(
      `comment on column "contracts"."agreement"."made_by" is 'The principal who sent it for signature, or changed the terms.';`,
    );

    this.addSql(
      `create table "contracts"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );
    this.addSql(
      `create index "applied_operation_kept" on "contracts"."applied_operation" ("applied_at") where outcome is not null;`,
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
      `create table "contracts"."business" ("workspace_id" uuid not null, "name" text not null, "country" text not null, "revision" int not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "contracts"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "contracts"."contract" ("workspace_id" uuid not null, "id" uuid not null, "revision" int not null, "title" text not null, "employment_type" text not null, "contract_type" text not null, "status" text not null, "worker_id" uuid null, "start_date" date null, "end_date" date null, "termination_date" date null, "currency" text not null, "rate" numeric null, "payment_due_days" int not null, "auto_pay_enabled" boolean not null, "timesheet_approval_required" boolean not null, "auto_approve_after_days" int null, "draft" jsonb not null, "creator" jsonb null, "created_by_principal" uuid not null, "external_reference" text null, "business_signed_at" timestamptz(6) null, "worker_signed_at" timestamptz(6) null, "return_reason" text null, "cancellation_reason" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, "deleted_at" timestamptz(6) null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "contracts"."contract"."draft" is 'What was agreed while it was a draft, with the defaults of the schema.';`,
    );
    this.addSql(
      `comment on column "contracts"."contract"."return_reason" is 'Why it was returned to draft; null once submitted again.';`,
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
      `create table "contracts"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, "traceparent" text null, "state" text not null default 'waiting', primary key ("event_id"));`,
    );
    this.addSql(
      `comment on column "contracts"."dead_letter"."reason" is 'Of the first time; later ones are among its steps.';`,
    );
    this.addSql(
      `comment on column "contracts"."dead_letter"."traceparent" is 'The step of a trace that delivered it.';`,
    );
    this.addSql(`comment on column "contracts"."dead_letter"."state" is 'Put back: it is about to be applied.';`);
    this.addSql(
      `create index "dead_letter_newest" on "contracts"."dead_letter" ("workspace_id", "buried_at", "event_id");`,
    );
    this.addSql(
      `create index "dead_letter_open" on "contracts"."dead_letter" ("buried_at") where state in ('waiting', 'put_back');`,
    );

    this.addSql(
      `create table "contracts"."dead_letter_step" ("id" uuid not null, "workspace_id" uuid not null, "event_id" uuid not null, "step" text not null, "at" timestamptz(6) not null, "by" text null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "contracts"."dead_letter_step"."by" is 'The person; null where the service itself did it.';`,
    );
    this.addSql(
      `create index "dead_letter_step_of_letter" on "contracts"."dead_letter_step" ("event_id", "at", "id");`,
    );

    this.addSql(
      `create table "contracts"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "traceparent" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "contracts"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(
      `comment on column "contracts"."outbox_event"."traceparent" is 'The step of a trace that emitted it (W3C Trace Context), where traces are kept.';`,
    );
    this.addSql(`create index "outbox_event_about" on "contracts"."outbox_event" ("workspace_id", "about_id");`);
    this.addSql(`create index "outbox_event_recorded" on "contracts"."outbox_event" ("recorded_at");`);

    this.addSql(
      `create table "contracts"."outbox_delivery" ("event_id" uuid not null, "consumer" text not null, "recorded_at" timestamptz(6) not null, "attempt" int not null, "due_at" timestamptz(6) not null, primary key ("event_id", "consumer"));`,
    );
    this.addSql(
      `comment on column "contracts"."outbox_delivery"."recorded_at" is 'When the event was, so that the oldest one is found without the events.';`,
    );
    this.addSql(
      `comment on column "contracts"."outbox_delivery"."due_at" is 'When the consumer is asked next, unless it confirms before.';`,
    );
    this.addSql(`create index "outbox_delivery_due" on "contracts"."outbox_delivery" ("consumer", "due_at");`);

    this.addSql(
      `create table "contracts"."worker" ("workspace_id" uuid not null, "id" uuid not null, "revision" int not null default 1, "name" text not null, "email" text not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`create index "worker_newest" on "contracts"."worker" ("workspace_id", "created_at", "id");`);

    this.addSql(
      `create or replace function "contracts"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "contracts"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "contracts"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_employment_type_check" check ("employment_type" in ('employee', 'contractor'));`,
    );
    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_contract_type_check" check ("contract_type" in ('employment_at_will', 'contractor_fixed', 'contractor_milestone', 'contractor_payg', 'contractor_creator'));`,
    );
    this.addSql(
      `alter table "contracts"."contract" add constraint "contract_status_check" check ("status" in ('draft', 'pending_verification', 'ready_for_signature', 'pending_signature', 'signed', 'active', 'offboarding', 'completed', 'cancelled'));`,
    );

    this.addSql(
      `alter table "contracts"."dead_letter" add constraint "dead_letter_state_check" check ("state" in ('waiting', 'put_back', 'put_aside', 'applied'));`,
    );
    this.addSql(
      `create or replace function "contracts"."dead_letter_keeps_letter_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: nothing else says that the event was not applied, and who took care of it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_letter" AFTER DELETE on "contracts"."dead_letter" for each ROW
  when (true) execute function "contracts"."dead_letter_keeps_letter_fn"();`);

    this.addSql(
      `alter table "contracts"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'dead_lettered', 'applied'));`,
    );

    this.addSql(
      `create or replace function "contracts"."outbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: another service may still ask for the event', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "contracts"."outbox_event" for each ROW
  when (old.recorded_at > clock_timestamp() - interval '8 days') execute function "contracts"."outbox_event_keeps_recent_fn"();`);

    this.addSql(
      `alter table "contracts"."outbox_delivery" add constraint "outbox_delivery_event_id_foreign" foreign key ("event_id") references "contracts"."outbox_event" ("id");`,
    );

    // The write path: history is append-only, and a row's body or date is never rewritten.
    this.addSql(`grant select, insert, update on "contracts"."change_clock" to "contracts";`);
    this.addSql(`grant select, insert, update ("outcome") on "contracts"."applied_operation" to "contracts";`);
    this.addSql(`grant select, insert on "contracts"."audit_entry" to "contracts";`);
    this.addSql(`grant select, insert, delete on "contracts"."outbox_event" to "contracts";`);
    this.addSql(
      `grant select, insert, delete, update ("attempt", "due_at") on "contracts"."outbox_delivery" to "contracts";`,
    );
    this.addSql(`grant select, insert, update ("state") on "contracts"."dead_letter" to "contracts";`);
    this.addSql(`grant select, insert on "contracts"."dead_letter_step" to "contracts";`);
    // `doctor` compares the applied migrations with those of the code.
    this.addSql(`grant select on "contracts"."migration" to "contracts";`);

    this.addSql(`grant select, insert, update on "contracts"."business" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."contract" to "contracts";`);
    this.addSql(`grant select, insert, update on "contracts"."worker" to "contracts";`);
    // An agreed text is never rewritten or deleted; only its signatures are added.
    this.addSql(
      `grant select, insert, update ("business_signed_at", "business_signed_by", "worker_signed_at", "worker_signed_by") on "contracts"."agreement" to "contracts";`,
    );
  }
}
