import { Migration } from '@mikro-orm/migrations';

export class Migration20261124115913_delivery extends Migration {
  override name = 'Migration20261124115913_delivery';

  override up(): void | Promise<void> {
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

    this.addSql(`drop trigger if exists "keeps_recent" on "payments"."inbox_event";`);
    this.addSql(`drop function if exists "payments"."inbox_event_keeps_recent_fn"();`);
    this.addSql(`drop table if exists "payments"."inbox_event" cascade;`);

    this.addSql(`alter table "payments"."dead_letter" drop column "tries";`);
    this.addSql(
      `comment on column "payments"."dead_letter"."traceparent" is 'The step of a trace that delivered it.';`,
    );

    this.addSql(`alter table "payments"."dead_letter_step" drop constraint "dead_letter_step_step_check";`);
    this.addSql(`update "payments"."dead_letter_step" set "step" = 'dead_lettered' where "step" = 'buried';`);
    this.addSql(
      `alter table "payments"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'dead_lettered', 'applied'));`,
    );

    this.addSql(`drop index "payments"."outbox_event_confirmed";`);
    this.addSql(`drop index "payments"."outbox_event_due";`);
    this.addSql(`drop index "payments"."outbox_event_new";`);
    this.addSql(`drop trigger if exists "keeps_unconfirmed" on "payments"."outbox_event";`);
    this.addSql(`drop function if exists "payments"."outbox_event_keeps_unconfirmed_fn"();`);
    this.addSql(
      `alter table "payments"."outbox_event" drop column "attempt", drop column "awaiting", drop column "due_at";`,
    );
    this.addSql(`create index "outbox_event_recorded" on "payments"."outbox_event" ("recorded_at");`);
    this.addSql(
      `create or replace function "payments"."outbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: another service may still ask for the event', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "payments"."outbox_event" for each ROW
  when (old.recorded_at > clock_timestamp() - interval '8 days') execute function "payments"."outbox_event_keeps_recent_fn"();`);

    this.addSql(
      `alter table "payments"."outbox_delivery" add constraint "outbox_delivery_event_id_foreign" foreign key ("event_id") references "payments"."outbox_event" ("id");`,
    );

    // What the relay changes of a row, and nothing else.
    this.addSql(
      `grant select, insert, delete, update ("attempt", "due_at") on "payments"."outbox_delivery" to "payments";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `create table "payments"."inbox_event" ("applied_at" timestamptz(6) not null, "event_id" uuid not null, "type" text not null, "workspace_id" uuid not null, primary key ("event_id"));`,
    );
    this.addSql(`create index "inbox_event_applied" on "payments"."inbox_event" ("applied_at");`);

    this.addSql(`drop table if exists "payments"."outbox_delivery" cascade;`);

    this.addSql(`alter table "payments"."dead_letter" add "tries" int null;`);
    this.addSql(
      `comment on column "payments"."dead_letter"."tries" is 'How often it was tried by then; null where an older version buried it.';`,
    );
    this.addSql(
      `comment on column "payments"."dead_letter"."traceparent" is 'The step of a trace that published it.';`,
    );

    this.addSql(`alter table "payments"."dead_letter_step" drop constraint "dead_letter_step_step_check";`);
    this.addSql(`update "payments"."dead_letter_step" set "step" = 'buried' where "step" = 'dead_lettered';`);
    this.addSql(
      `alter table "payments"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'buried', 'applied'));`,
    );

    this.addSql(`drop index "payments"."outbox_event_recorded";`);
    this.addSql(`drop trigger if exists "keeps_recent" on "payments"."outbox_event";`);
    this.addSql(`drop function if exists "payments"."outbox_event_keeps_recent_fn"();`);
    this.addSql(
      `alter table "payments"."outbox_event" add "attempt" int not null default 0, add "awaiting" text[] not null, add "due_at" timestamptz(6) null;`,
    );
    this.addSql(`comment on column "payments"."outbox_event"."awaiting" is 'Consumers that have not confirmed yet.';`);
    this.addSql(
      `comment on column "payments"."outbox_event"."due_at" is 'When it is published next; null once every consumer has confirmed.';`,
    );
    this.addSql(
      `create index "outbox_event_confirmed" on "payments"."outbox_event" ("recorded_at") where due_at is null;`,
    );
    this.addSql(`create index "outbox_event_due" on "payments"."outbox_event" ("due_at") where due_at is not null;`);
    this.addSql(
      `create index "outbox_event_new" on "payments"."outbox_event" ("recorded_at") where due_at is not null and attempt = 0;`,
    );
    this.addSql(
      `create or replace function "payments"."outbox_event_keeps_unconfirmed_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: a consumer has not confirmed the event, or a stream may still hold it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_unconfirmed" AFTER DELETE on "payments"."outbox_event" for each ROW
  when (old.due_at is not null or old.recorded_at > clock_timestamp() - interval '8 days') execute function "payments"."outbox_event_keeps_unconfirmed_fn"();`);

    this.addSql(
      `create or replace function "payments"."inbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: the event may be delivered again and would be applied twice', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "payments"."inbox_event" for each ROW
  when (old.applied_at > clock_timestamp() - interval '16 days') execute function "payments"."inbox_event_keeps_recent_fn"();`);
  }
}
