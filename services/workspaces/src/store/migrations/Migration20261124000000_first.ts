import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_first extends Migration {
  override name = 'Migration20261124000000_first';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "workspaces";`);
    this.addSql(
      `create table "workspaces"."account" ("id" uuid not null, "email" text not null, "email_verified_at" timestamptz(6) null, "name" text not null, "password_hash" text not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(`comment on column "workspaces"."account"."email" is 'Normalized; what the person signs in with.';`);
    this.addSql(
      `comment on column "workspaces"."account"."email_verified_at" is 'When somebody opened a link that was sent to the address; null while nobody has.';`,
    );
    this.addSql(
      `comment on column "workspaces"."account"."password_hash" is 'Argon2id, in the PHC string format, which says how it was made.';`,
    );
    this.addSql(`create index "account_of_email" on "workspaces"."account" ("email");`);
    this.addSql(
      `create unique index "account_email_verified" on "workspaces"."account" ("email") where email_verified_at is not null;`,
    );

    this.addSql(
      `create table "workspaces"."api_key" ("id" uuid not null, "workspace_id" uuid not null, "principal_id" uuid not null, "membership_id" uuid not null, "name" text not null, "scopes" text[] not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "revoked_at" timestamptz(6) null, "last_used_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."api_key"."principal_id" is 'Kept over rotation; idempotency and external references belong to it.';`,
    );
    this.addSql(
      `comment on column "workspaces"."api_key"."last_used_at" is 'To the minute; null when it has never been used.';`,
    );
    this.addSql(`create index "api_key_of_workspace" on "workspaces"."api_key" ("workspace_id", "created_at", "id");`);

    this.addSql(
      `create table "workspaces"."applied_operation" ("workspace_id" uuid not null, "principal_id" uuid not null, "operation_id" uuid not null, "command" text not null, "fingerprint" text not null, "outcome" jsonb null, "applied_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "operation_id"));`,
    );
    this.addSql(
      `create index "applied_operation_kept" on "workspaces"."applied_operation" ("applied_at") where outcome is not null;`,
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
      `comment on column "workspaces"."business"."revision" is 'Counts the changes that other services are told of.';`,
    );

    this.addSql(
      `create table "workspaces"."change_clock" ("workspace_id" uuid not null, "last" timestamptz(6) not null, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "workspaces"."dead_letter" ("event_id" uuid not null, "workspace_id" uuid not null, "type" text not null, "event" jsonb not null, "reason" text not null, "buried_at" timestamptz(6) not null, "traceparent" text null, "state" text not null default 'waiting', primary key ("event_id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."dead_letter"."reason" is 'Of the first time; later ones are among its steps.';`,
    );
    this.addSql(
      `comment on column "workspaces"."dead_letter"."traceparent" is 'The step of a trace that delivered it.';`,
    );
    this.addSql(`comment on column "workspaces"."dead_letter"."state" is 'Put back: it is about to be applied.';`);
    this.addSql(
      `create index "dead_letter_newest" on "workspaces"."dead_letter" ("workspace_id", "buried_at", "event_id");`,
    );
    this.addSql(
      `create index "dead_letter_open" on "workspaces"."dead_letter" ("buried_at") where state in ('waiting', 'put_back');`,
    );

    this.addSql(
      `create table "workspaces"."dead_letter_step" ("id" uuid not null, "workspace_id" uuid not null, "event_id" uuid not null, "step" text not null, "at" timestamptz(6) not null, "by" text null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."dead_letter_step"."by" is 'The person; null where the service itself did it.';`,
    );
    this.addSql(
      `create index "dead_letter_step_of_letter" on "workspaces"."dead_letter_step" ("event_id", "at", "id");`,
    );

    this.addSql(
      `create table "workspaces"."internal_token" ("id" uuid not null, "name" text not null, "owner" text null, "team" text not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "revoked_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."internal_token"."owner" is 'The e-mail address of the person who holds it, in lower case.';`,
    );

    this.addSql(
      `create table "workspaces"."invitation" ("id" uuid not null, "workspace_id" uuid not null, "membership_id" uuid null, "invited_by" uuid null, "name" text not null, "email" text not null, "role" text not null, "secret_hash" text not null, "is_mailed" boolean not null default false, "expires_at" timestamptz(6) not null, "accepted_at" timestamptz(6) null, "revoked_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."invitation"."membership_id" is 'Whose sign-in it gives, where the membership is there already; once accepted, who took it.';`,
    );
    this.addSql(
      `comment on column "workspaces"."invitation"."invited_by" is 'The membership of the admin; null for internal teams.';`,
    );
    this.addSql(
      `comment on column "workspaces"."invitation"."is_mailed" is 'Only whoever reads the mail of the address can have the link.';`,
    );
    this.addSql(
      `create index "invitation_of_workspace" on "workspaces"."invitation" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(`create index "invitation_of_email" on "workspaces"."invitation" ("email", "created_at");`);
    this.addSql(`alter table "workspaces"."invitation" add constraint "invitation_secret" unique ("secret_hash");`);

    this.addSql(
      `create table "workspaces"."known_device" ("secret_hash" text not null, "account_id" uuid not null, "last_used_at" timestamptz(6) not null, primary key ("secret_hash"));`,
    );
    this.addSql(`create index "known_device_of_account" on "workspaces"."known_device" ("account_id");`);

    this.addSql(
      `create table "workspaces"."mcp_client" ("workspace_id" uuid not null, "id" text not null, "name" text not null, "hosts" text[] not null, "status" text not null, "created_at" timestamptz(6) not null, "changed_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "workspaces"."mcp_client"."id" is 'As the authorization server knows it.';`);

    this.addSql(
      `create table "workspaces"."mcp_connection" ("id" uuid not null, "workspace_id" uuid not null, "client_id" text not null, "membership_id" uuid not null, "subject" text not null, "principal_id" uuid not null, "grant_id" uuid null, "scopes" text[] not null, "created_at" timestamptz(6) not null, "last_used_at" timestamptz(6) null, "revoked_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."mcp_connection"."subject" is 'Whom the issuer means; another one with the same address is somebody else.';`,
    );
    this.addSql(
      `comment on column "workspaces"."mcp_connection"."principal_id" is 'Kept over refresh; each consent has one of its own.';`,
    );
    this.addSql(
      `comment on column "workspaces"."mcp_connection"."grant_id" is 'Of the embedded authorization server, one for each consent; null where another one keeps its own.';`,
    );
    this.addSql(
      `create index "mcp_connection_newest" on "workspaces"."mcp_connection" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(
      `create unique index "mcp_connection_live" on "workspaces"."mcp_connection" ("workspace_id", "client_id", "membership_id") where revoked_at is null and grant_id is null;`,
    );
    this.addSql(
      `alter table "workspaces"."mcp_connection" add constraint "mcp_connection_of_grant" unique ("grant_id");`,
    );

    this.addSql(
      `create table "workspaces"."membership" ("workspace_id" uuid not null, "id" uuid not null, "account_id" uuid null, "name" text not null, "email" text not null, "role" text not null, "left_at" timestamptz(6) null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."membership"."account_id" is 'Who signs in to it; nobody until an invitation is accepted.';`,
    );
    this.addSql(
      `comment on column "workspaces"."membership"."left_at" is 'Who left is never revived: rejoining makes a new membership.';`,
    );
    this.addSql(`create index "membership_newest" on "workspaces"."membership" ("workspace_id", "created_at", "id");`);
    this.addSql(`create index "membership_of_account" on "workspaces"."membership" ("account_id");`);
    this.addSql(
      `create unique index "membership_email" on "workspaces"."membership" ("workspace_id", "email") where left_at is null;`,
    );
    this.addSql(
      `create unique index "membership_account" on "workspaces"."membership" ("workspace_id", "account_id") where left_at is null;`,
    );

    this.addSql(
      `create table "workspaces"."oauth_artifact" ("kind" text not null, "id_hash" text not null, "grant_id" uuid null, "sealed" text not null, "consumed_at" timestamptz(6) null, "expires_at" timestamptz(6) not null, primary key ("kind", "id_hash"));`,
    );
    this.addSql(
      `comment on column "workspaces"."oauth_artifact"."sealed" is 'The payload, sealed under OAUTH_SECRET.';`,
    );
    this.addSql(
      `create index "oauth_artifact_of_grant" on "workspaces"."oauth_artifact" ("grant_id") where grant_id is not null;`,
    );
    this.addSql(`create index "oauth_artifact_expiry" on "workspaces"."oauth_artifact" ("expires_at");`);

    this.addSql(
      `create table "workspaces"."oauth_client" ("id" text not null, "metadata" jsonb not null, "created_at" timestamptz(6) not null, "last_used_at" timestamptz(6) null, primary key ("id"));`,
    );

    this.addSql(
      `create table "workspaces"."outbox_event" ("id" uuid not null, "workspace_id" uuid not null, "type" text not null, "about_id" uuid not null, "body" jsonb not null, "recorded_at" timestamptz(6) not null, "traceparent" text null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_event"."about_id" is 'The thing other services may ask this event for, such as the payment an approval creates.';`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_event"."traceparent" is 'The step of a trace that emitted it (W3C Trace Context), where traces are kept.';`,
    );
    this.addSql(`create index "outbox_event_about" on "workspaces"."outbox_event" ("workspace_id", "about_id");`);
    this.addSql(`create index "outbox_event_recorded" on "workspaces"."outbox_event" ("recorded_at");`);

    this.addSql(
      `create table "workspaces"."outbox_delivery" ("event_id" uuid not null, "consumer" text not null, "recorded_at" timestamptz(6) not null, "attempt" int not null, "due_at" timestamptz(6) not null, primary key ("event_id", "consumer"));`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_delivery"."recorded_at" is 'When the event was, so that the oldest one is found without the events.';`,
    );
    this.addSql(
      `comment on column "workspaces"."outbox_delivery"."due_at" is 'When the consumer is asked next, unless it confirms before.';`,
    );
    this.addSql(`create index "outbox_delivery_due" on "workspaces"."outbox_delivery" ("consumer", "due_at");`);

    this.addSql(
      `create table "workspaces"."password_reset" ("secret_hash" text not null, "account_id" uuid not null, "expires_at" timestamptz(6) not null, primary key ("secret_hash"));`,
    );
    this.addSql(`create index "password_reset_of_account" on "workspaces"."password_reset" ("account_id");`);

    this.addSql(
      `create table "workspaces"."rate_counter" ("subject" text not null, "window_started_at" timestamptz(6) not null, "used" int not null, primary key ("subject"));`,
    );

    this.addSql(
      `create table "workspaces"."session" ("id" uuid not null, "account_id" uuid not null, "proof_hash" text not null, "user_agent" text not null, "created_at" timestamptz(6) not null, "authenticated_at" timestamptz(6) not null default now(), "last_seen_at" timestamptz(6) not null, "expires_at" timestamptz(6) not null, "draft" jsonb null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."session"."proof_hash" is 'Of the hash of the cookie that travels to admission (ADR 08); only the browser has the cookie.';`,
    );
    this.addSql(
      `comment on column "workspaces"."session"."authenticated_at" is 'When the password was last given in it.';`,
    );
    this.addSql(`comment on column "workspaces"."session"."expires_at" is 'However much it is used.';`);
    this.addSql(
      `comment on column "workspaces"."session"."draft" is 'What was typed into a form that could not be sent, until it is shown again.';`,
    );
    this.addSql(`create index "session_of_account" on "workspaces"."session" ("account_id");`);
    this.addSql(`alter table "workspaces"."session" add constraint "session_proof" unique ("proof_hash");`);

    this.addSql(
      `create table "workspaces"."sign_in_counter" ("subject" text not null, "window_started_at" timestamptz(6) not null, "used" int not null, primary key ("subject"));`,
    );
    this.addSql(
      `comment on column "workspaces"."sign_in_counter"."subject" is 'What is counted for, hashed: people type passwords where addresses belong.';`,
    );

    this.addSql(
      `create table "workspaces"."signing_key" ("kid" text not null, "sealed" text not null, "created_at" timestamptz(6) not null, "signs_from" timestamptz(6) not null, "withdrawn_at" timestamptz(6) null, "is_first" boolean not null default false, primary key ("kid"));`,
    );
    this.addSql(`comment on column "workspaces"."signing_key"."sealed" is 'The key, sealed under OAUTH_SECRET.';`);
    this.addSql(
      `comment on column "workspaces"."signing_key"."is_first" is 'Made because there was no key; rotations may leave several others in use, of these there is one.';`,
    );
    this.addSql(
      `create unique index "signing_key_first" on "workspaces"."signing_key" ("is_first") where is_first and withdrawn_at is null;`,
    );

    this.addSql(
      `create or replace function "workspaces"."applied_operation_keeps_outcome_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: an outcome is written once, and answers retries until it expires', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_outcome" AFTER UPDATE on "workspaces"."applied_operation" for each ROW
  when (old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '7 days')) execute function "workspaces"."applied_operation_keeps_outcome_fn"();`);

    this.addSql(
      `alter table "workspaces"."business" add constraint "business_kyb_status_check" check ("kyb_status" in ('not_started', 'pending', 'verified', 'rejected'));`,
    );

    this.addSql(
      `alter table "workspaces"."dead_letter" add constraint "dead_letter_state_check" check ("state" in ('waiting', 'put_back', 'put_aside', 'applied'));`,
    );
    this.addSql(
      `create or replace function "workspaces"."dead_letter_keeps_letter_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: nothing else says that the event was not applied, and who took care of it', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_letter" AFTER DELETE on "workspaces"."dead_letter" for each ROW
  when (true) execute function "workspaces"."dead_letter_keeps_letter_fn"();`);

    this.addSql(
      `alter table "workspaces"."dead_letter_step" add constraint "dead_letter_step_step_check" check ("step" in ('put_back', 'put_aside', 'dead_lettered', 'applied'));`,
    );

    this.addSql(
      `alter table "workspaces"."internal_token" add constraint "internal_token_owner_check" check (team = 'service' or owner is not null or revoked_at is not null);`,
    );
    this.addSql(
      `alter table "workspaces"."internal_token" add constraint "internal_token_team_check" check ("team" in ('service', 'read_only', 'support', 'operations', 'finance'));`,
    );

    this.addSql(
      `alter table "workspaces"."invitation" add constraint "invitation_role_check" check ("role" in ('admin', 'member', 'viewer'));`,
    );

    this.addSql(
      `alter table "workspaces"."mcp_client" add constraint "mcp_client_status_check" check ("status" in ('asked', 'enabled', 'disabled'));`,
    );

    this.addSql(
      `alter table "workspaces"."membership" add constraint "membership_role_check" check ("role" in ('admin', 'member', 'viewer'));`,
    );

    this.addSql(
      `create or replace function "workspaces"."outbox_event_keeps_recent_fn"() returns trigger as $$ begin raise exception '%.% keeps this row: another service may still ask for the event', tg_table_schema, tg_table_name using errcode = 'restrict_violation'; end; $$ language plpgsql;`,
    );
    this.addSql(`create trigger "keeps_recent" AFTER DELETE on "workspaces"."outbox_event" for each ROW
  when (old.recorded_at > clock_timestamp() - interval '8 days') execute function "workspaces"."outbox_event_keeps_recent_fn"();`);

    this.addSql(
      `alter table "workspaces"."outbox_delivery" add constraint "outbox_delivery_event_id_foreign" foreign key ("event_id") references "workspaces"."outbox_event" ("id");`,
    );

    // Losing a minute of counts in a crash harms nobody; writing them twice to disk would slow every request.
    this.addSql(`alter table "workspaces"."rate_counter" set unlogged;`);
    this.addSql(`alter table "workspaces"."sign_in_counter" set unlogged;`);

    // The write path: history is append-only, and a row's body or date is never rewritten.
    this.addSql(`grant select, insert, update on "workspaces"."change_clock" to "workspaces";`);
    this.addSql(`grant select, insert, update ("outcome") on "workspaces"."applied_operation" to "workspaces";`);
    this.addSql(`grant select, insert on "workspaces"."audit_entry" to "workspaces";`);
    this.addSql(`grant select, insert, delete on "workspaces"."outbox_event" to "workspaces";`);
    this.addSql(
      `grant select, insert, delete, update ("attempt", "due_at") on "workspaces"."outbox_delivery" to "workspaces";`,
    );
    this.addSql(`grant select, insert, update ("state") on "workspaces"."dead_letter" to "workspaces";`);
    this.addSql(`grant select, insert on "workspaces"."dead_letter_step" to "workspaces";`);
    // `doctor` compares the applied migrations with those of the code.
    this.addSql(`grant select on "workspaces"."migration" to "workspaces";`);

    this.addSql(`grant select, insert, update on "workspaces"."account" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."api_key" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."business" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."internal_token" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."invitation" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."mcp_client" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."mcp_connection" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."membership" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."signing_key" to "workspaces";`);
    this.addSql(
      `grant select, insert, update ("expires_at"), delete on "workspaces"."password_reset" to "workspaces";`,
    );
    this.addSql(`grant select, insert, update, delete on "workspaces"."known_device" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."oauth_artifact" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."oauth_client" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."rate_counter" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."session" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."sign_in_counter" to "workspaces";`);
  }
}
