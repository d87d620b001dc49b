import { Migration } from '@mikro-orm/migrations';

export class Migration20261121084617 extends Migration {
  override name = 'Migration20261121084617';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "workspaces";`);
    this.addSql(
      `create table "workspaces"."api_key" ("id" uuid not null, "workspace_id" uuid not null, "principal_id" uuid not null, "membership_id" uuid not null, "name" text not null, "scopes" text[] not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "revoked_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."api_key"."principal_id" is 'Kept over rotation; idempotency and external references belong to it.';`,
    );
    this.addSql(`create index "api_key_of_workspace" on "workspaces"."api_key" ("workspace_id", "created_at", "id");`);

    this.addSql(
      `create table "workspaces"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );

    this.addSql(
      `create table "workspaces"."audit_entry" ("id" uuid not null, "workspace_id" uuid not null, "at" timestamptz(6) not null, "actor_kind" text not null, "principal_id" uuid not null, "via" text not null, "request_id" text not null, "action" text not null, "subject_id" uuid not null, "change" jsonb not null, primary key ("id"));`,
    );
    this.addSql(`create index "audit_entry_newest" on "workspaces"."audit_entry" ("workspace_id", "at", "id");`);
    this.addSql(
      `create index "audit_entry_of_subject" on "workspaces"."audit_entry" ("workspace_id", "subject_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_principal" on "workspaces"."audit_entry" ("workspace_id", "principal_id", "at", "id");`,
    );

    this.addSql(
      `create table "workspaces"."business" ("id" uuid not null, "revision" int not null, "name" text not null, "country" text not null, "kyb_status" text not null, "integration_enabled" boolean not null, "writes_enabled" boolean not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(`comment on column "workspaces"."business"."id" is 'Also the id of the workspace.';`);
    this.addSql(
      `comment on column "workspaces"."business"."revision" is 'Counts the changes that payments is told of.';`,
    );

    this.addSql(
      `create table "workspaces"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "workspaces"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "workspaces"."inbox_event" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "applied_at" timestamptz(6) not null, primary key ("event_id"));`,
    );

    this.addSql(
      `create table "workspaces"."internal_token" ("id" uuid not null, "name" text not null, "team" text not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "revoked_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "workspaces"."membership" ("workspace_id" uuid not null, "id" uuid not null, "name" text not null, "email" text not null, "role" text not null, "left_at" timestamptz(6) null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."membership"."left_at" is 'Who left is never revived: rejoining makes a new membership.';`,
    );
    this.addSql(`create index "membership_newest" on "workspaces"."membership" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `create unique index "membership_email" on "workspaces"."membership" ("workspace_id", "email") where left_at is null;`,
    );

    this.addSql(
      `create table "workspaces"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "awaiting" text[] not null, "attempt" int not null default 0, "due_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_event"."awaiting" is 'Consumers that have not confirmed yet.';`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_event"."due_at" is 'When it is published next; null once every consumer has confirmed.';`,
    );
    this.addSql(`create index "outbox_event_due" on "workspaces"."outbox_event" ("due_at") where due_at is not null;`);
    this.addSql(`create index "outbox_event_about" on "workspaces"."outbox_event" ("workspace_id", "about_id");`);

    this.addSql(
      `create table "workspaces"."rate_counter" ("subject" text not null, "window_started_at" timestamptz(6) not null, "used" int not null, primary key ("subject"));`,
    );

    this.addSql(
      `alter table "workspaces"."business" add constraint "business_kyb_status_check" check ("kyb_status" in ('not_started', 'pending', 'verified', 'rejected'));`,
    );

    this.addSql(
      `alter table "workspaces"."internal_token" add constraint "internal_token_team_check" check ("team" in ('service', 'read_only', 'support', 'operations', 'finance'));`,
    );

    this.addSql(
      `alter table "workspaces"."membership" add constraint "membership_role_check" check ("role" in ('admin', 'member', 'viewer'));`,
    );

    // Losing a minute of counts in a crash harms nobody; writing them twice to disk would slow every request.
    this.addSql(`alter table "workspaces"."rate_counter" set unlogged;`);

    // What the service's role may do; history is append-only for it.
    this.addSql(`grant select, insert, update on "workspaces"."change_clock" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."applied_operation" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."outbox_event" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."business" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."membership" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."api_key" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."internal_token" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."rate_counter" to "workspaces";`);
    this.addSql(`grant select, insert on "workspaces"."inbox_event" to "workspaces";`);
    this.addSql(`grant select, insert on "workspaces"."dead_letter" to "workspaces";`);
    this.addSql(`grant select, insert on "workspaces"."audit_entry" to "workspaces";`);
    this.addSql(`grant delete on "workspaces"."rate_counter" to "workspaces";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workspaces"."api_key" cascade;`);
    this.addSql(`drop table if exists "workspaces"."applied_operation" cascade;`);
    this.addSql(`drop table if exists "workspaces"."audit_entry" cascade;`);
    this.addSql(`drop table if exists "workspaces"."business" cascade;`);
    this.addSql(`drop table if exists "workspaces"."change_clock" cascade;`);
    this.addSql(`drop table if exists "workspaces"."dead_letter" cascade;`);
    this.addSql(`drop table if exists "workspaces"."inbox_event" cascade;`);
    this.addSql(`drop table if exists "workspaces"."internal_token" cascade;`);
    this.addSql(`drop table if exists "workspaces"."membership" cascade;`);
    this.addSql(`drop table if exists "workspaces"."outbox_event" cascade;`);
    this.addSql(`drop table if exists "workspaces"."rate_counter" cascade;`);
  }
}
