import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_first extends Migration {
  override name = 'Migration20261124000000_first';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "payments";`);
    this.addSql(
      `create table "payments"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );
    this.addSql(
      `create index "applied_operation_kept" on "payments"."applied_operation" ("applied_at") where outcome is not null;`,
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
      `create table "payments"."business" ("workspace_id" uuid not null, "kyb_status" text not null, "revision" int not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "payments"."calendar" ("workspace_id" uuid not null, "days_ahead" int not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "payments"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "payments"."contract_worker" ("workspace_id" uuid not null, "contract_id" uuid not null, "worker_id" uuid null, "revision" int not null, primary key ("workspace_id", "contract_id"));`,
    );
    this.addSql(
      `create index "contract_worker_by_worker" on "payments"."contract_worker" ("workspace_id", "worker_id");`,
    );

    this.addSql(
      `create table "payments"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, "traceparent" text null, "state" text not null default 'waiting', primary key ("event_id"));`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter"."reason" is 'Of the first time; later ones are among its steps.';`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter"."traceparent" is 'The step of a trace that delivered it.';`,
    );
    this.addSql(`comment on column "payments"."dead_letter"."state" is 'Put back: it is about to be applied.';`);
    this.addSql(
      `create index "dead_letter_newest" on "payments"."dead_letter" ("workspace_id", "buried_at", "event_id");`,
    );
    this.addSql(
      `create index "dead_letter_open" on "payments"."dead_letter" ("buried_at") where state in ('waiting', 'put_back');`,
    );

    this.addSql(
      `create table "payments"."dead_letter_step" ("id" uuid not null, "workspace_id" uuid not null, "event_id" uuid not null, "step" text not null, "at" timestamptz(6) not null, "by" text null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter_step"."by" is 'The person; null where the service itself did it.';`,
    );
    this.addSql(`create index "dead_letter_step_of_letter" on "payments"."dead_letter_step" ("event_id", "at", "id");`);

    this.addSql(
      `create table "payments"."deduction" ("workspace_id" uuid not null, "id" uuid not null, "payment_id" uuid not null, "name" text not null, "amount" numeric not null, "created_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`create index "deduction_of_payment" on "payments"."deduction" ("workspace_id", "payment_id", "id");`);

    this.addSql(
      `create table "payments"."deferred_work" ("runner" text not null, "workspace_id" uuid not null, "id" uuid not null, "tries" int not null, "reason" text not null, "retry_at" timestamptz(6) not null, primary key ("runner", "workspace_id", "id"));`,
    );
    this.addSql(`comment on column "payments"."deferred_work"."reason" is 'What went wrong the last time.';`);
    this.addSql(
      `comment on column "payments"."deferred_work"."retry_at" is 'When it is tried again. A row long past it is of work that was done since.';`,
    );

    this.addSql(
      `create table "payments"."instruction" ("workspace_id" uuid not null, "id" uuid not null, "kind" text not null, "instructed" jsonb not null, "status" text not null, "bank_transaction_id" text null, "requested_by" text not null, "decided_by" text null, "expires_at" timestamptz(6) not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "payments"."instruction"."instructed" is 'What is countersigned, as it was when it was requested.';`,
    );
    this.addSql(
      `comment on column "payments"."instruction"."bank_transaction_id" is 'Of a funding: the transfer, as the bank that received it names it.';`,
    );
    this.addSql(`create index "instruction_newest" on "payments"."instruction" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `create index "instruction_newest_by_status" on "payments"."instruction" ("workspace_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create unique index "instruction_books_transfer_once" on "payments"."instruction" ("bank_transaction_id") where status = 'countersigned';`,
    );

    this.addSql(
      `create table "payments"."ledger_account" ("workspace_id" uuid not null, "account" text not null, "currency" text not null, "balance" numeric not null, primary key ("workspace_id", "account", "currency"));`,
    );

    this.addSql(
      `create table "payments"."ledger_entry" ("workspace_id" uuid not null, "id" uuid not null, "posting_id" uuid not null, "account" text not null, "currency" text not null, "amount" numeric not null, "created_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "payments"."ledger_entry"."amount" is 'Signed.';`);
    this.addSql(
      `create index "ledger_entry_newest" on "payments"."ledger_entry" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "ledger_entry_newest_by_account" on "payments"."ledger_entry" ("workspace_id", "account", "created_at", "id");`,
    );
    this.addSql(
      `create index "ledger_entry_newest_by_currency" on "payments"."ledger_entry" ("workspace_id", "currency", "created_at", "id");`,
    );
    this.addSql(`create index "ledger_entry_of_posting" on "payments"."ledger_entry" ("workspace_id", "posting_id");`);

    this.addSql(
      `create table "payments"."ledger_posting" ("workspace_id" uuid not null, "id" uuid not null, "kind" text not null, "payment_id" uuid null, "attempt" int null, "reference" text null, "created_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `alter table "payments"."ledger_posting" add constraint "ledger_posting_once_per_attempt" unique ("workspace_id", "payment_id", "attempt", "kind");`,
    );
    this.addSql(
      `create unique index "ledger_posting_settled_once" on "payments"."ledger_posting" ("workspace_id", "payment_id") where kind = 'settlement';`,
    );

    this.addSql(
      `create table "payments"."order_check" ("generation" text not null, "seen_at" timestamptz(6) not null, "checked_at" timestamptz(6) null, primary key ("generation"));`,
    );
    this.addSql(`comment on column "payments"."order_check"."checked_at" is 'Null: no payout begins yet.';`);

    this.addSql(
      `create table "payments"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "traceparent" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "payments"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(
      `comment on column "payments"."outbox_event"."traceparent" is 'The step of a trace that emitted it (W3C Trace Context), where traces are kept.';`,
    );
    this.addSql(`create index "outbox_event_about" on "payments"."outbox_event" ("workspace_id", "about_id");`);
    this.addSql(`create index "outbox_event_recorded" on "payments"."outbox_event" ("recorded_at");`);

    this.addSql(
      `create table "payments"."outbox_delivery" ("event_id" uuid not null, "consumer" text not null, "recorded_at" timestamptz(6) not null, "attempt" int not null, "due_at" timestamptz(6) not null, primary key ("event_id", "consumer"));`,
    );
    this.addSql(
      `comment on column "payments"."outbox_delivery"."recorded_at" is 'When the event was, so that the oldest one is found without the events.';`,
    );
    this.addSql(
      `comment on column "payments"."outbox_delivery"."due_at" is 'When the consumer is asked next, unless it confirms before.';`,
    );
    this.addSql(`create index "outbox_delivery_due" on "payments"."outbox_delivery" ("consumer", "due_at");`);

    this.addSql(
      `create table "payments"."payee" ("workspace_id" uuid not null, "id" uuid not null, "worker_id" uuid not null, "payout_method" text not null, "destination" text not null, "verification_status" text not null, "rejection_reason" text null, "changed_by" text null, "verified_by" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "payments"."payee"."changed_by" is 'Who entered where the money goes.';`);
    this.addSql(`create index "payee_newest" on "payments"."payee" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "payee_changed" on "payments"."payee" ("workspace_id", "updated_at", "id");`);
    this.addSql(
      `create index "payee_newest_by_status" on "payments"."payee" ("workspace_id", "verification_status", "created_at", "id");`,
    );
    this.addSql(
      `create index "payee_changed_by_status" on "payments"."payee" ("workspace_id", "verification_status", "updated_at", "id");`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_once_per_worker" unique ("workspace_id", "worker_id");`,
    );

    this.addSql(
      `create table "payments"."payment" ("workspace_id" uuid not null, "id" uuid not null, "contract_id" uuid not null, "source_type" text not null, "source_id" uuid not null, "status" text not null, "sequence" int not null, "currency" text not null, "gross" numeric not null, "net" numeric not null, "scheduled_date" date null, "auto_pay_enabled" boolean not null, "processed_at" timestamptz(6) null, "completed_at" timestamptz(6) null, "failure_reason" text null, "traceparent" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "payments"."payment"."sequence" is 'Grows with every status; its events carry it.';`,
    );
    this.addSql(`comment on column "payments"."payment"."net" is 'Gross less the deductions.';`);
    this.addSql(`comment on column "payments"."payment"."scheduled_date" is 'Null: due at once.';`);
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
    this.addSql(`create index "payment_scheduled" on "payments"."payment" ("workspace_id", "scheduled_date");`);
    this.addSql(
      `create index "payment_changed_by_contract" on "payments"."payment" ("workspace_id", "contract_id", "updated_at", "id");`,
    );
    this.addSql(
      `create index "payment_unsettled" on "payments"."payment" ("status") where status in ('pending', 'processing', 'failed');`,
    );
    this.addSql(
      `create index "payment_due_in_workspace" on payments.payment (workspace_id, (coalesce(scheduled_date, '-infinity'::date)), created_at, id) where status = 'pending' and auto_pay_enabled;`,
    );
    this.addSql(
      `create index "payment_due" on payments.payment ((coalesce(scheduled_date, '-infinity'::date)), created_at, id) where status = 'pending' and auto_pay_enabled;`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_once_per_source" unique ("source_type", "source_id");`,
    );

    this.addSql(
      `create table "payments"."payout_attempt" ("workspace_id" uuid not null, "payment_id" uuid not null, "number" int not null, "status" text not null, "idempotency_key" text not null, "payee_id" uuid not null, "worker_id" uuid not null, "payout_method" text not null, "destination" text not null, "currency" text not null, "amount" numeric not null, "provider_reference" text null, "heard" jsonb null, "polls" int not null, "next_poll_at" timestamptz(6) null, "alarm" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "payment_id", "number"));`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."idempotency_key" is 'The name it is submitted under.';`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."worker_id" is 'The provider repeats it, so that an order is attributed when its attempt is lost.';`,
    );
    this.addSql(`comment on column "payments"."payout_attempt"."heard" is 'What the provider said of it last.';`);
    this.addSql(
      `comment on column "payments"."payout_attempt"."polls" is 'How often the provider was asked about it.';`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."next_poll_at" is 'When the provider is asked next; null: at once.';`,
    );
    this.addSql(`comment on column "payments"."payout_attempt"."alarm" is 'Why it waits for a person.';`);
    this.addSql(
      `create index "payout_attempt_open" on "payments"."payout_attempt" ("next_poll_at") where status in ('prepared', 'submitted');`,
    );
    this.addSql(`create index "payout_attempt_newest" on "payments"."payout_attempt" ("created_at");`);
    this.addSql(
      `create unique index "payout_attempt_alone" on "payments"."payout_attempt" ("workspace_id", "payment_id") where status <> 'declined';`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_key" unique ("idempotency_key");`,
    );

    this.addSql(
      `create table "payments"."unclaimed_order" ("workspace_id" uuid not null, "id" uuid not null, "status" text not null, "idempotency_key" text not null, "worker_id" uuid not null, "payout_method" text not null, "destination" text not null, "currency" text not null, "amount" numeric not null, "provider_reference" text not null, "ordered_at" timestamptz(6) not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "payments"."unclaimed_order"."ordered_at" is 'By the provider''s clock.';`);
    this.addSql(
      `create index "unclaimed_order_newest" on "payments"."unclaimed_order" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "unclaimed_order_open" on "payments"."unclaimed_order" ("workspace_id") where status = 'open';`,
    );
    this.addSql(
      `alter table "payments"."unclaimed_order" add constraint "unclaimed_order_key" unique ("idempotency_key");`,
    );

    this.addSql(
      `create or replace function "payments"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "payments"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "payments"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `alter table "payments"."dead_letter" add constraint "dead_letter_state_check" check ("state" in ('waiting', 'put_back', 'put_aside', 'applied'));`,
    );
    this.addSql(
      `create or replace function "payments"."dead_letter_keeps_letter_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: nothing else says that the event was not applied, and who took care of it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_letter" AFTER DELETE on "payments"."dead_letter" for each ROW
  when (true) execute function "payments"."dead_letter_keeps_letter_fn"();`);

    this.addSql(
      `alter table "payments"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'dead_lettered', 'applied'));`,
    );

    this.addSql(`alter table "payments"."deduction" add constraint "deduction_amount_check" check (amount > 0);`);

    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_second_person_check" check (case status when 'requested' then decided_by is null when 'withdrawn' then decided_by is not null and decided_by = requested_by else decided_by is not null and lower(decided_by) <> lower(requested_by) end);`,
    );
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_kind_check" check ("kind" in ('funding', 'payout', 'retry', 'was_paid', 'never_paid', 'claim', 'dismiss', 'clearing'));`,
    );
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_transfer_check" check ((kind = 'funding') = (bank_transaction_id is not null));`,
    );
    this.addSql(
      `alter table "payments"."instruction" add constraint "instruction_status_check" check ("status" in ('requested', 'countersigned', 'declined', 'withdrawn'));`,
    );

    this.addSql(
      `alter table "payments"."ledger_account" add constraint "ledger_account_balance_check" check (case when account in ('available', 'in_flight', 'settled', 'workers_receivable') then balance >= 0 else balance <= 0 end);`,
    );
    this.addSql(
      `alter table "payments"."ledger_account" add constraint "ledger_account_account_check" check ("account" in ('funding', 'available', 'in_flight', 'settled', 'deductions_payable', 'workers_payable', 'workers_receivable'));`,
    );

    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_amount_check" check (amount <> 0);`,
    );
    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_account_check" check ("account" in ('funding', 'available', 'in_flight', 'settled', 'deductions_payable', 'workers_payable', 'workers_receivable'));`,
    );

    this.addSql(
      `alter table "payments"."ledger_posting" add constraint "ledger_posting_kind_check" check ("kind" in ('funding', 'reservation', 'release', 'settlement', 'clearing'));`,
    );

    this.addSql(
      `create or replace function "payments"."outbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: another service may still ask for the event', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "payments"."outbox_event" for each ROW
  when (old.recorded_at > clock_timestamp() - interval '8 days') execute function "payments"."outbox_event_keeps_recent_fn"();`);

    this.addSql(
      `alter table "payments"."outbox_delivery" add constraint "outbox_delivery_event_id_foreign" foreign key ("event_id") references "payments"."outbox_event" ("id");`,
    );

    this.addSql(
      `alter table "payments"."payee" add constraint "payee_second_person_check" check (verified_by is null or changed_by is not null and lower(verified_by) <> lower(changed_by));`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_person_check" check ((changed_by = 'application' or changed_by like '%@%') and (verified_by = 'sandbox' or verified_by like '%@%'));`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_verification_status_check" check ("verification_status" in ('unverified', 'verified', 'rejected'));`,
    );

    this.addSql(
      `alter table "payments"."payment" add constraint "payment_net_check" check (net >= 0 and net <= gross);`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_source_type_check" check ("source_type" in ('timesheet', 'milestone'));`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_status_check" check ("status" in ('pending', 'processing', 'completed', 'failed', 'cancelled'));`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_failure_reason_check" check ("failure_reason" in ('amount_unpayable', 'payee_missing', 'payee_unverified', 'business_unverified', 'insufficient_funds', 'provider_declined'));`,
    );

    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_status_check" check ("status" in ('prepared', 'submitted', 'settled', 'declined'));`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_alarm_check" check ("alarm" in ('not_found', 'differs'));`,
    );

    this.addSql(
      `alter table "payments"."unclaimed_order" add constraint "unclaimed_order_status_check" check ("status" in ('open', 'claimed', 'dismissed'));`,
    );
    this.addSql(
      `alter table "payments"."unclaimed_order" add constraint "unclaimed_order_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );

    // What MikroORM cannot declare. Deferred, because MikroORM chooses the order in which entities are written.
    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_of_a_posting" foreign key ("workspace_id", "posting_id") references "payments"."ledger_posting" ("workspace_id", "id") deferrable initially deferred;`,
    );
    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_in_an_account" foreign key ("workspace_id", "account", "currency") references "payments"."ledger_account" ("workspace_id", "account", "currency") deferrable initially deferred;`,
    );
    this.addSql(`
      create function "payments"."require_balanced_posting"() returns trigger language plpgsql set search_path = '' as $$
      begin
        if exists (
          select from payments.ledger_entry
          where workspace_id = new.workspace_id and posting_id = new.posting_id
          group by currency having sum(amount) <> 0
        ) then
          raise exception 'posting % does not add up to zero in each currency', new.posting_id
            using errcode = 'check_violation', constraint = 'ledger_posting_balanced';
        end if;
        return null;
      end $$;`);
    this.addSql(
      `create constraint trigger "ledger_posting_balanced" after insert on "payments"."ledger_entry" deferrable initially deferred for each row execute function "payments"."require_balanced_posting"();`,
    );

    // The write path: history is append-only, and a row's body or date is never rewritten.
    this.addSql(`grant select, insert, update on "payments"."change_clock" to "payments";`);
    this.addSql(`grant select, insert, update ("outcome") on "payments"."applied_operation" to "payments";`);
    this.addSql(`grant select, insert on "payments"."audit_entry" to "payments";`);
    this.addSql(`grant select, insert, delete on "payments"."outbox_event" to "payments";`);
    this.addSql(
      `grant select, insert, delete, update ("attempt", "due_at") on "payments"."outbox_delivery" to "payments";`,
    );
    this.addSql(`grant select, insert, update ("state") on "payments"."dead_letter" to "payments";`);
    this.addSql(`grant select, insert on "payments"."dead_letter_step" to "payments";`);
    // `doctor` compares the applied migrations with those of the code.
    this.addSql(`grant select on "payments"."migration" to "payments";`);

    this.addSql(`grant select, insert, update on "payments"."business" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."calendar" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."contract_worker" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."ledger_account" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payee" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payment" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."deferred_work" to "payments";`);
    this.addSql(`grant select, insert, delete on "payments"."deduction" to "payments";`);
    // The ledger is append-only.
    this.addSql(`grant select, insert on "payments"."ledger_entry" to "payments";`);
    this.addSql(`grant select, insert on "payments"."ledger_posting" to "payments";`);
    // Who decided may be added to an instruction, but what was requested never changes.
    this.addSql(
      `grant select, insert, update ("status", "decided_by", "updated_at") on "payments"."instruction" to "payments";`,
    );
    // What the provider is sent never changes: every submission of an attempt is the same.
    this.addSql(
      `grant select, insert, update ("status", "provider_reference", "heard", "polls", "next_poll_at", "alarm", "updated_at") on "payments"."payout_attempt" to "payments";`,
    );
    this.addSql(`grant select, insert, update ("checked_at") on "payments"."order_check" to "payments";`);
    this.addSql(`grant select, insert, update ("status", "updated_at") on "payments"."unclaimed_order" to "payments";`);
  }
}
