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

    this.addSql(
      `create table "payments"."business" ("workspace_id" uuid not null, "kyb_status" text not null, "revision" int not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "payments"."contract_worker" ("workspace_id" uuid not null, "contract_id" uuid not null, "worker_id" uuid null, "revision" int not null, primary key ("workspace_id", "contract_id"));`,
    );

    this.addSql(
      `create table "payments"."deduction" ("workspace_id" uuid not null, "id" uuid not null, "payment_id" uuid not null, "name" text not null, "amount" numeric not null, "created_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`create index "deduction_of_payment" on "payments"."deduction" ("workspace_id", "payment_id", "id");`);

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
      `create table "payments"."payee" ("workspace_id" uuid not null, "id" uuid not null, "worker_id" uuid not null, "payout_method" text not null, "destination" text not null, "verification_status" text not null, "rejection_reason" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
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
      `create table "payments"."payout_attempt" ("workspace_id" uuid not null, "payment_id" uuid not null, "number" int not null, "status" text not null, "payee_id" uuid not null, "payout_method" text not null, "destination" text not null, "currency" text not null, "amount" numeric not null, "provider_reference" text null, "looks" int not null, "look_at" timestamptz(6) null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "payment_id", "number"));`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."looks" is 'How often the provider was asked about it.';`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."look_at" is 'When the provider is asked next; null: at once.';`,
    );
    this.addSql(
      `create index "payout_attempt_open" on "payments"."payout_attempt" ("look_at") where status in ('prepared', 'submitted');`,
    );
    this.addSql(
      `create unique index "payout_attempt_alone" on "payments"."payout_attempt" ("workspace_id", "payment_id") where status <> 'declined';`,
    );

    this.addSql(
      `create table "payments"."sandbox_payout" ("idempotency_key" text not null, "state" text not null, "currency" text not null, "amount" numeric not null, "created_at" timestamptz(6) not null, primary key ("idempotency_key"));`,
    );

    this.addSql(`comment on column "payments"."payment"."net" is 'Gross less the deductions.';`);
    this.addSql(`comment on column "payments"."payment"."scheduled_date" is 'Null: due at once.';`);
    this.addSql(
      `create index "payment_due" on payments.payment ((coalesce(scheduled_date, '-infinity'::date)), id) where status = 'pending' and auto_pay_enabled;`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_net_check" check (net >= 0 and net <= gross);`,
    );
    this.addSql(
      `alter table "payments"."payment" add constraint "payment_failure_reason_check" check ("failure_reason" in ('payee_missing', 'payee_unverified', 'business_unverified', 'insufficient_funds', 'provider_declined'));`,
    );

    this.addSql(`alter table "payments"."deduction" add constraint "deduction_amount_check" check (amount > 0);`);

    this.addSql(
      `alter table "payments"."ledger_account" add constraint "ledger_account_balance_check" check (case when account in ('available', 'in_flight', 'settled') then balance >= 0 else balance <= 0 end);`,
    );
    this.addSql(
      `alter table "payments"."ledger_account" add constraint "ledger_account_account_check" check ("account" in ('funding', 'available', 'in_flight', 'settled', 'deductions_payable'));`,
    );

    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_amount_check" check (amount <> 0);`,
    );
    this.addSql(
      `alter table "payments"."ledger_entry" add constraint "ledger_entry_account_check" check ("account" in ('funding', 'available', 'in_flight', 'settled', 'deductions_payable'));`,
    );

    this.addSql(
      `alter table "payments"."ledger_posting" add constraint "ledger_posting_kind_check" check ("kind" in ('funding', 'reservation', 'release', 'settlement'));`,
    );

    this.addSql(
      `alter table "payments"."payee" add constraint "payee_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );
    this.addSql(
      `alter table "payments"."payee" add constraint "payee_verification_status_check" check ("verification_status" in ('unverified', 'verified', 'rejected'));`,
    );

    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_status_check" check ("status" in ('prepared', 'submitted', 'settled', 'declined'));`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );

    this.addSql(
      `alter table "payments"."sandbox_payout" add constraint "sandbox_payout_state_check" check ("state" in ('lost', 'accepted', 'held', 'settled', 'declined'));`,
    );

    // What MikroORM cannot say. Deferred: entities are written in an order of its own.
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

    // What the service's role may do; history is append-only for it.
    this.addSql(`grant select, insert, update on "payments"."change_clock" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."applied_operation" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."outbox_event" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payment" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."contract_worker" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."business" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payee" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."payout_attempt" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."ledger_account" to "payments";`);
    this.addSql(`grant select, insert, update on "payments"."sandbox_payout" to "payments";`);
    this.addSql(`grant select, insert, delete on "payments"."deduction" to "payments";`);
    this.addSql(`grant select, insert on "payments"."ledger_posting" to "payments";`);
    this.addSql(`grant select, insert on "payments"."ledger_entry" to "payments";`);
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
    this.addSql(`drop table if exists "payments"."business" cascade;`);
    this.addSql(`drop table if exists "payments"."contract_worker" cascade;`);
    this.addSql(`drop table if exists "payments"."deduction" cascade;`);
    this.addSql(`drop table if exists "payments"."ledger_account" cascade;`);
    this.addSql(`drop table if exists "payments"."ledger_entry" cascade;`);
    this.addSql(`drop table if exists "payments"."ledger_posting" cascade;`);
    this.addSql(`drop table if exists "payments"."payee" cascade;`);
    this.addSql(`drop table if exists "payments"."payout_attempt" cascade;`);
    this.addSql(`drop table if exists "payments"."sandbox_payout" cascade;`);
    this.addSql(`drop function if exists "payments"."require_balanced_posting"();`);
  }
}
