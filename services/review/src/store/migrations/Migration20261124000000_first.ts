import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_first extends Migration {
  override name = 'Migration20261124000000_first';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "review";`);
    this.addSql(
      `create table "review"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );
    this.addSql(
      `create index "applied_operation_kept" on "review"."applied_operation" ("applied_at") where outcome is not null;`,
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
      `create table "review"."calendar" ("workspace_id" uuid not null, "days_ahead" int not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "review"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "review"."contract_terms" ("workspace_id" uuid not null, "contract_id" uuid not null, "revision" int not null, "status" text not null, "currency" text not null, "rate" numeric null, "payment_due_days" int not null, "auto_pay_enabled" boolean not null, "timesheet_approval_required" boolean not null, "auto_approve_after_days" int null, "deleted" boolean not null, primary key ("workspace_id", "contract_id"));`,
    );

    this.addSql(
      `create table "review"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, "traceparent" text null, "state" text not null default 'waiting', primary key ("event_id"));`,
    );
    this.addSql(
      `comment on column "review"."dead_letter"."reason" is 'Of the first time; later ones are among its steps.';`,
    );
    this.addSql(`comment on column "review"."dead_letter"."traceparent" is 'The step of a trace that delivered it.';`);
    this.addSql(`comment on column "review"."dead_letter"."state" is 'Put back: it is about to be applied.';`);
    this.addSql(
      `create index "dead_letter_newest" on "review"."dead_letter" ("workspace_id", "buried_at", "event_id");`,
    );
    this.addSql(
      `create index "dead_letter_open" on "review"."dead_letter" ("buried_at") where state in ('waiting', 'put_back');`,
    );

    this.addSql(
      `create table "review"."dead_letter_step" ("id" uuid not null, "workspace_id" uuid not null, "event_id" uuid not null, "step" text not null, "at" timestamptz(6) not null, "by" text null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "review"."dead_letter_step"."by" is 'The person; null where the service itself did it.';`,
    );
    this.addSql(`create index "dead_letter_step_of_letter" on "review"."dead_letter_step" ("event_id", "at", "id");`);

    this.addSql(
      `create table "review"."deferred_work" ("runner" text not null, "workspace_id" uuid not null, "id" uuid not null, "tries" int not null, "reason" text not null, "retry_at" timestamptz(6) not null, primary key ("runner", "workspace_id", "id"));`,
    );
    this.addSql(`comment on column "review"."deferred_work"."reason" is 'What went wrong the last time.';`);
    this.addSql(
      `comment on column "review"."deferred_work"."retry_at" is 'When it is tried again. A row long past it is of work that was done since.';`,
    );

    this.addSql(
      `create table "review"."milestone" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "revision" int not null, "title" text not null, "description" text null, "status" text not null, "currency" text not null, "amount" numeric not null, "due_date" date null, "payment_date" date null, "rejection_reason" text null, "payment_id" uuid null, "payment_sequence" int not null, "sort_order" int not null, "draft_revision" int not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "review"."milestone"."payment_sequence" is 'Of the newest payment event seen; older ones are ignored.';`,
    );
    this.addSql(
      `comment on column "review"."milestone"."draft_revision" is 'How often contracts had agreed on it anew when it was taken over.';`,
    );
    this.addSql(
      `create index "milestone_newest_by_contract" on "review"."milestone" ("workspace_id", "contract_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "milestone_newest_by_contract_and_status" on "review"."milestone" ("workspace_id", "contract_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "milestone_payment_pending" on "review"."milestone" ("payment_id") where status = 'approved';`,
    );
    this.addSql(
      `create index "milestone_waiting" on "review"."milestone" ("workspace_id", "updated_at", "id") where status = 'submitted';`,
    );

    this.addSql(
      `create table "review"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "traceparent" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "review"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(
      `comment on column "review"."outbox_event"."traceparent" is 'The step of a trace that emitted it (W3C Trace Context), where traces are kept.';`,
    );
    this.addSql(`create index "outbox_event_about" on "review"."outbox_event" ("workspace_id", "about_id");`);
    this.addSql(`create index "outbox_event_recorded" on "review"."outbox_event" ("recorded_at");`);

    this.addSql(
      `create table "review"."outbox_delivery" ("event_id" uuid not null, "consumer" text not null, "recorded_at" timestamptz(6) not null, "attempt" int not null, "due_at" timestamptz(6) not null, primary key ("event_id", "consumer"));`,
    );
    this.addSql(
      `comment on column "review"."outbox_delivery"."recorded_at" is 'When the event was, so that the oldest one is found without the events.';`,
    );
    this.addSql(
      `comment on column "review"."outbox_delivery"."due_at" is 'When the consumer is asked next, unless it confirms before.';`,
    );
    this.addSql(`create index "outbox_delivery_due" on "review"."outbox_delivery" ("consumer", "due_at");`);

    this.addSql(
      `create table "review"."timesheet" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "revision" int not null, "status" text not null, "period_start" date not null, "period_end" date not null, "units_worked" numeric not null, "currency" text not null, "rate" numeric not null, "total" numeric not null, "payment_scheduled_date" date not null, "auto_pay_enabled" boolean not null, "rejection_reason" text null, "payment_id" uuid null, "payment_status" text null, "payment_sequence" int not null, "submitted_at" timestamptz(6) not null, "days_ahead" int not null default 0, "approve_at" timestamptz(6) null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "review"."timesheet"."payment_sequence" is 'Of the newest payment event seen; older ones are ignored.';`,
    );
    this.addSql(
      `comment on column "review"."timesheet"."days_ahead" is 'Of a test workspace’s calendar when it was handed in: they count for nothing.';`,
    );
    this.addSql(
      `comment on column "review"."timesheet"."approve_at" is 'When a rule of the contract approves it, should nobody have decided before; null unless submitted.';`,
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
      `create index "timesheet_due_for_approval" on "review"."timesheet" ("approve_at", "id") where approve_at is not null;`,
    );
    this.addSql(
      `create index "timesheet_due_in_workspace" on review.timesheet (workspace_id, ((approve_at at time zone 'UTC') + days_ahead * interval '1 day')) where approve_at is not null;`,
    );
    this.addSql(
      `create index "timesheet_payment_pending" on "review"."timesheet" ("payment_id") where payment_status = 'pending';`,
    );
    this.addSql(
      `create index "timesheet_waiting" on "review"."timesheet" ("workspace_id", "submitted_at", "id") where status = 'submitted';`,
    );

    this.addSql(
      `create or replace function "review"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "review"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "review"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `alter table "review"."dead_letter" add constraint "dead_letter_state_check" check ("state" in ('waiting', 'put_back', 'put_aside', 'applied'));`,
    );
    this.addSql(
      `create or replace function "review"."dead_letter_keeps_letter_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: nothing else says that the event was not applied, and who took care of it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_letter" AFTER DELETE on "review"."dead_letter" for each ROW
  when (true) execute function "review"."dead_letter_keeps_letter_fn"();`);

    this.addSql(
      `alter table "review"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'dead_lettered', 'applied'));`,
    );

    this.addSql(
      `alter table "review"."milestone" add constraint "milestone_status_check" check ("status" in ('pending', 'submitted', 'approved', 'completed', 'paid', 'rejected'));`,
    );

    this.addSql(
      `create or replace function "review"."outbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: another service may still ask for the event', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "review"."outbox_event" for each ROW
  when (old.recorded_at > clock_timestamp() - interval '8 days') execute function "review"."outbox_event_keeps_recent_fn"();`);

    this.addSql(
      `alter table "review"."outbox_delivery" add constraint "outbox_delivery_event_id_foreign" foreign key ("event_id") references "review"."outbox_event" ("id");`,
    );

    this.addSql(
      `alter table "review"."timesheet" add constraint "timesheet_status_check" check ("status" in ('submitted', 'approved', 'rejected'));`,
    );
    this.addSql(
      `alter table "review"."timesheet" add constraint "timesheet_payment_status_check" check ("payment_status" in ('pending', 'processing', 'completed', 'failed', 'cancelled'));`,
    );

    // The write path: history is append-only, and a row's body or date is never rewritten.
    this.addSql(`grant select, insert, update on "review"."change_clock" to "review";`);
    this.addSql(`grant select, insert, update ("outcome") on "review"."applied_operation" to "review";`);
    this.addSql(`grant select, insert on "review"."audit_entry" to "review";`);
    this.addSql(`grant select, insert, delete on "review"."outbox_event" to "review";`);
    this.addSql(
      `grant select, insert, delete, update ("attempt", "due_at") on "review"."outbox_delivery" to "review";`,
    );
    this.addSql(`grant select, insert, update ("state") on "review"."dead_letter" to "review";`);
    this.addSql(`grant select, insert on "review"."dead_letter_step" to "review";`);
    // `doctor` compares the applied migrations with those of the code.
    this.addSql(`grant select on "review"."migration" to "review";`);

    this.addSql(`grant select, insert, update on "review"."calendar" to "review";`);
    this.addSql(`grant select, insert, update on "review"."contract_terms" to "review";`);
    this.addSql(`grant select, insert, update on "review"."milestone" to "review";`);
    this.addSql(`grant select, insert, update on "review"."deferred_work" to "review";`);
    this.addSql(`grant select, insert, update on "review"."timesheet" to "review";`);
  }
}
