import { Migration } from '@mikro-orm/migrations';

export class Migration20261121115715 extends Migration {
  override name = 'Migration20261121115715';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."mcp_client" ("workspace_id" uuid not null, "id" text not null, "name" text not null, "hosts" text[] not null, "status" text not null, "created_at" timestamptz(6) not null, "changed_at" timestamptz(6) not null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "workspaces"."mcp_client"."id" is 'As the authorization server knows it.';`);

    this.addSql(
      `create table "workspaces"."mcp_connection" ("id" uuid not null, "workspace_id" uuid not null, "client_id" text not null, "membership_id" uuid not null, "subject" text not null, "principal_id" uuid not null, "scopes" text[] not null, "created_at" timestamptz(6) not null, "last_used_at" timestamptz(6) null, "revoked_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."mcp_connection"."subject" is 'Whom the issuer means; another one with the same address is somebody else.';`,
    );
    this.addSql(
      `comment on column "workspaces"."mcp_connection"."principal_id" is 'Kept over refresh and repeated sign-in; a new one after a revocation.';`,
    );
    this.addSql(
      `create index "mcp_connection_newest" on "workspaces"."mcp_connection" ("workspace_id", "created_at", "id");`,
    );
    this.addSql(
      `create unique index "mcp_connection_live" on "workspaces"."mcp_connection" ("workspace_id", "client_id", "membership_id") where revoked_at is null;`,
    );

    this.addSql(
      `create table "workspaces"."mcp_grant" ("id" uuid not null, "workspace_id" uuid not null, "connection_id" uuid not null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(`create index "mcp_grant_of_connection" on "workspaces"."mcp_grant" ("connection_id");`);

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
      `create table "workspaces"."signing_key" ("kid" text not null, "sealed" text not null, "created_at" timestamptz(6) not null, "signs_from" timestamptz(6) not null, "withdrawn_at" timestamptz(6) null, primary key ("kid"));`,
    );
    this.addSql(`comment on column "workspaces"."signing_key"."sealed" is 'The key, sealed under OAUTH_SECRET.';`);

    this.addSql(
      `alter table "workspaces"."mcp_client" add constraint "mcp_client_status_check" check ("status" in ('asked', 'enabled', 'disabled'));`,
    );

    // Artifacts, clients and grants are forgotten when their time is over; keys, connections and what a workspace said stay.
    this.addSql(`grant select, insert, update on "workspaces"."signing_key" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."oauth_artifact" to "workspaces";`);
    this.addSql(`grant select, insert, update, delete on "workspaces"."oauth_client" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."mcp_client" to "workspaces";`);
    this.addSql(`grant select, insert, update on "workspaces"."mcp_connection" to "workspaces";`);
    this.addSql(`grant select, insert, delete on "workspaces"."mcp_grant" to "workspaces";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workspaces"."mcp_client" cascade;`);
    this.addSql(`drop table if exists "workspaces"."mcp_connection" cascade;`);
    this.addSql(`drop table if exists "workspaces"."mcp_grant" cascade;`);
    this.addSql(`drop table if exists "workspaces"."oauth_artifact" cascade;`);
    this.addSql(`drop table if exists "workspaces"."oauth_client" cascade;`);
    this.addSql(`drop table if exists "workspaces"."signing_key" cascade;`);
  }
}
