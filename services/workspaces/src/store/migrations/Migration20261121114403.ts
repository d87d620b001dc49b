import { Migration } from '@mikro-orm/migrations';

export class Migration20261121114403 extends Migration {
  override name = 'Migration20261121114403';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."account" ("id" uuid not null, "email" text not null, "name" text not null, "password_hash" text not null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(`comment on column "workspaces"."account"."email" is 'Normalized; what the person signs in with.';`);
    this.addSql(
      `comment on column "workspaces"."account"."password_hash" is 'Argon2id, in the PHC string format, which says how it was made.';`,
    );
    this.addSql(`alter table "workspaces"."account" add constraint "account_email" unique ("email");`);

    this.addSql(
      `create table "workspaces"."invitation" ("id" uuid not null, "workspace_id" uuid not null, "membership_id" uuid null, "name" text not null, "email" text not null, "role" text not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "accepted_at" timestamptz(6) null, "revoked_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."invitation"."membership_id" is 'Whose sign-in it gives, where the membership is there already.';`,
    );
    this.addSql(
      `create index "invitation_of_workspace" on "workspaces"."invitation" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(`alter table "workspaces"."invitation" add constraint "invitation_secret" unique ("secret_hash");`);

    this.addSql(
      `create table "workspaces"."known_device" ("secret_hash" text not null, "account_id" uuid not null, "last_used_at" timestamptz(6) not null, primary key ("secret_hash"));`,
    );
    this.addSql(`create index "known_device_of_account" on "workspaces"."known_device" ("account_id");`);

    this.addSql(
      `create table "workspaces"."session" ("id" uuid not null, "account_id" uuid not null, "secret_hash" text not null, "user_agent" text not null, "created_at" timestamptz(6) not null, "last_seen_at" timestamptz(6) not null, "expires_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."session"."secret_hash" is 'Of the cookie, which nobody keeps but the browser.';`,
    );
    this.addSql(`comment on column "workspaces"."session"."expires_at" is 'However much it is used.';`);
    this.addSql(`create index "session_of_account" on "workspaces"."session" ("account_id");`);
    this.addSql(`alter table "workspaces"."session" add constraint "session_secret" unique ("secret_hash");`);

    this.addSql(
      `create table "workspaces"."sign_in_counter" ("subject" text not null, "window_started_at" timestamptz(6) not null, "used" int not null, primary key ("subject"));`,
    );
    this.addSql(
      `comment on column "workspaces"."sign_in_counter"."subject" is 'What is counted for, hashed: people type passwords where addresses belong.';`,
    );

    this.addSql(`alter table "workspaces"."api_key" add "last_used_at" timestamptz(6) null;`);
    this.addSql(
      `comment on column "workspaces"."api_key"."last_used_at" is 'To the minute; null when it has never been used.';`,
    );

    this.addSql(`alter table "workspaces"."membership" add "account_id" uuid null;`);
    this.addSql(
      `comment on column "workspaces"."membership"."account_id" is 'Who signs in to it; nobody until an invitation is accepted.';`,
    );
    this.addSql(`create index "membership_of_account" on "workspaces"."membership" ("account_id");`);
    this.addSql(
      `create unique index "membership_account" on "workspaces"."membership" ("workspace_id", "account_id") where left_at is null;`,
    );

    this.addSql(
      `alter table "workspaces"."invitation" add constraint "invitation_role_check" check ("role" in ('admin', 'member', 'viewer'));`,
    );

    // Losing a window of counts in a crash harms nobody; writing them twice to disk would slow a flood's other victims.
    this.addSql(`alter table "workspaces"."sign_in_counter" set unlogged;`);

    this.addSql(`grant select, insert, update on "workspaces"."account" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."invitation" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."session" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."known_device" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."sign_in_counter" to "workspaces";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workspaces"."account" cascade;`);
    this.addSql(`drop table if exists "workspaces"."invitation" cascade;`);
    this.addSql(`drop table if exists "workspaces"."known_device" cascade;`);
    this.addSql(`drop table if exists "workspaces"."session" cascade;`);
    this.addSql(`drop table if exists "workspaces"."sign_in_counter" cascade;`);

    this.addSql(`alter table "workspaces"."api_key" drop column "last_used_at";`);

    this.addSql(`drop index "workspaces"."membership_of_account";`);
    this.addSql(`drop index "workspaces"."membership_account";`);
    this.addSql(`alter table "workspaces"."membership" drop column "account_id";`);
  }
}
