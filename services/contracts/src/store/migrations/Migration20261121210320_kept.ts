import { Migration } from '@mikro-orm/migrations';

export class Migration20261121210320_kept extends Migration {
  override name = 'Migration20261121210320_kept';

  override up(): void | Promise<void> {
    this.addSql(
      `create or replace function "contracts"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "contracts"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "contracts"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `create or replace function "contracts"."inbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: the event may be delivered again and would be applied twice', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "contracts"."inbox_event" for each ROW
  when (old.applied_at > clock_timestamp() - interval '16 days') execute function "contracts"."inbox_event_keeps_recent_fn"();`);

    this.addSql(
      `create or replace function "contracts"."outbox_event_keeps_unconfirmed_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: a consumer has not confirmed the event, or a stream may still hold it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_unconfirmed" AFTER DELETE on "contracts"."outbox_event" for each ROW
  when (old.due_at is not null or old.recorded_at > clock_timestamp() - interval '8 days') execute function "contracts"."outbox_event_keeps_unconfirmed_fn"();`);

    // What the relay and retention change of a row, and nothing else: a body or a date is never rewritten.
    this.addSql(`revoke update on "contracts"."outbox_event", "contracts"."applied_operation" from "contracts";`);
    this.addSql(`grant update ("awaiting", "attempt", "due_at") on "contracts"."outbox_event" to "contracts";`);
    this.addSql(`grant update ("outcome") on "contracts"."applied_operation" to "contracts";`);
    // doctor says whether the tables are those of the code.
    this.addSql(`grant select on "contracts"."migration" to "contracts";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke select on "contracts"."migration" from "contracts";`);
    this.addSql(`grant update on "contracts"."outbox_event", "contracts"."applied_operation" to "contracts";`);
    this.addSql(`drop trigger if exists "keeps_outcome" on "contracts"."applied_operation";`);
    this.addSql(`drop function if exists "contracts"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(`drop trigger if exists "keeps_recent" on "contracts"."inbox_event";`);
    this.addSql(`drop function if exists "contracts"."inbox_event_keeps_recent_fn"();`);

    this.addSql(`drop trigger if exists "keeps_unconfirmed" on "contracts"."outbox_event";`);
    this.addSql(`drop function if exists "contracts"."outbox_event_keeps_unconfirmed_fn"();`);
  }
}
