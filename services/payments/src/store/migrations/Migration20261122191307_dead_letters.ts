import { Migration } from '@mikro-orm/migrations';

export class Migration20261122191307_dead_letters extends Migration {
  override name = 'Migration20261122191307_dead_letters';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "payments"."dead_letter_step" ("id" uuid not null, "workspace_id" uuid not null, "event_id" uuid not null, "step" text not null, "at" timestamptz(6) not null, "by" text null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter_step"."by" is 'The person; null where the service itself did it.';`,
    );
    this.addSql(`create index "dead_letter_step_of_letter" on "payments"."dead_letter_step" ("event_id", "at", "id");`);

    this.addSql(
      `alter table "payments"."dead_letter" add "tries" int null, add "traceparent" text null, add "state" text not null default 'waiting';`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter"."tries" is 'How often it was tried by then; null where an older version buried it.';`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter"."traceparent" is 'The step of a trace that published it.';`,
    );
    this.addSql(`comment on column "payments"."dead_letter"."state" is 'Put back: it is about to be applied.';`);
    this.addSql(
      `comment on column "payments"."dead_letter"."reason" is 'Of the first time; later ones are among its steps.';`,
    );
    this.addSql(
      `create index "dead_letter_newest" on "payments"."dead_letter" ("workspace_id", "buried_at", "event_id");`,
    );
    this.addSql(
      `create index "dead_letter_open" on "payments"."dead_letter" ("buried_at") where state in ('waiting', 'put_back');`,
    );
    this.addSql(
      `alter table "payments"."dead_letter" add constraint "dead_letter_state_check" check ("state" in ('waiting', 'put_back', 'put_aside', 'applied'));`,
    );
    this.addSql(
      `create or replace function "payments"."dead_letter_keeps_letter_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: nothing else says that the event was not applied, and who took care of it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_letter" AFTER DELETE on "payments"."dead_letter" for each ROW
  when (true) execute function "payments"."dead_letter_keeps_letter_fn"();`);

    this.addSql(
      `alter table "payments"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'buried', 'applied'));`,
    );

    this.addSql(`grant update ("state") on "payments"."dead_letter" to "payments";`);
    this.addSql(`grant select, insert on "payments"."dead_letter_step" to "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`revoke update ("state") on "payments"."dead_letter" from "payments";`);
    this.addSql(`drop table if exists "payments"."dead_letter_step" cascade;`);

    this.addSql(`drop index "payments"."dead_letter_newest";`);
    this.addSql(`drop index "payments"."dead_letter_open";`);
    this.addSql(`alter table "payments"."dead_letter" drop constraint "dead_letter_state_check";`);
    this.addSql(`drop trigger if exists "keeps_letter" on "payments"."dead_letter";`);
    this.addSql(`drop function if exists "payments"."dead_letter_keeps_letter_fn"();`);
    this.addSql(
      `alter table "payments"."dead_letter" drop column "tries", drop column "traceparent", drop column "state";`,
    );
    this.addSql(`comment on column "payments"."dead_letter"."reason" is null;`);
  }
}
