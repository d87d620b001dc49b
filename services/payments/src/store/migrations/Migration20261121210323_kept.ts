import { Migration } from '@mikro-orm/migrations';

export class Migration20261121210323_kept extends Migration {
  override name = 'Migration20261121210323_kept';

  override up(): void | Promise<void> {
    this.addSql(
      `create or replace function "payments"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "payments"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "payments"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `create or replace function "payments"."inbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: the event may be delivered again and would be applied twice', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "payments"."inbox_event" for each ROW
  when (old.applied_at > clock_timestamp() - interval '16 days') execute function "payments"."inbox_event_keeps_recent_fn"();`);

    this.addSql(
      `create or replace function "payments"."outbox_event_keeps_unconfirmed_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: a consumer has not confirmed the event, or a stream may still hold it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_unconfirmed" AFTER DELETE on "payments"."outbox_event" for each ROW
  when (old.due_at is not null or old.recorded_at > clock_timestamp() - interval '8 days') execute function "payments"."outbox_event_keeps_unconfirmed_fn"();`);

    // What the relay and retention change of a row, and nothing else: a body or a date is never rewritten.
    this.addSql(`revoke update on "payments"."outbox_event", "payments"."applied_operation" from "payments";`);
    this.addSql(`grant update ("awaiting", "attempt", "due_at") on "payments"."outbox_event" to "payments";`);
    this.addSql(`grant update ("outcome") on "payments"."applied_operation" to "payments";`);
    // doctor says whether the tables are those of the code.
    this.addSql(`grant select on "payments"."migration" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke select on "payments"."migration" from "payments";`);
    this.addSql(`grant update on "payments"."outbox_event", "payments"."applied_operation" to "payments";`);
    this.addSql(`drop trigger if exists "keeps_outcome" on "payments"."applied_operation";`);
    this.addSql(`drop function if exists "payments"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(`drop trigger if exists "keeps_recent" on "payments"."inbox_event";`);
    this.addSql(`drop function if exists "payments"."inbox_event_keeps_recent_fn"();`);

    this.addSql(`drop trigger if exists "keeps_unconfirmed" on "payments"."outbox_event";`);
    this.addSql(`drop function if exists "payments"."outbox_event_keeps_unconfirmed_fn"();`);
  }
}
