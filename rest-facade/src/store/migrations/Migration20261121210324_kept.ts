import { Migration } from '@mikro-orm/migrations';

export class Migration20261121210324_kept extends Migration {
  override name = 'Migration20261121210324_kept';

  override up(): void | Promise<void> {
    this.addSql(
      `create or replace function "rest_facade"."idempotency_claim_keeps_key_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: a key whose operation was carried out is never taken for a new one', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_key" AFTER DELETE on "rest_facade"."idempotency_claim" for each ROW
  when (old.state = 'done') execute function "rest_facade"."idempotency_claim_keeps_key_fn"();`);
    this.addSql(
      `create or replace function "rest_facade"."idempotency_claim_keeps_answer_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an answer is written once, and replayed until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_answer" AFTER UPDATE on "rest_facade"."idempotency_claim" for each ROW
  when (old.state = 'done' and ((new.state, new.status) is distinct from (old.state, old.status)
        or (new.body is distinct from old.body
          and (new.body is not null or old.finished_at > clock_timestamp() - interval '7 days')))) execute function "rest_facade"."idempotency_claim_keeps_answer_fn"();`);
    // doctor says whether the tables are those of the code.
    this.addSql(`grant select on "rest_facade"."migration" to "rest_facade";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke select on "rest_facade"."migration" from "rest_facade";`);
    this.addSql(`drop trigger if exists "keeps_key" on "rest_facade"."idempotency_claim";`);
    this.addSql(`drop function if exists "rest_facade"."idempotency_claim_keeps_key_fn"();`);
    this.addSql(`drop trigger if exists "keeps_answer" on "rest_facade"."idempotency_claim";`);
    this.addSql(`drop function if exists "rest_facade"."idempotency_claim_keeps_answer_fn"();`);
  }
}
