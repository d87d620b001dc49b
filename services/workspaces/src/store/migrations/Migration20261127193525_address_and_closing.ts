import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193525_address_and_closing extends Migration {
  override name = 'Migration20261127193525_address_and_closing';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."address_change" ("id" uuid not null, "account_id" uuid not null, "email" text not null, "secret_hash" text not null, "expires_at" timestamptz(6) not null, "created_at" timestamptz(6) not null, "former_email" text null, "changed_at" timestamptz(6) null, "undone_at" timestamptz(6) null, primary key ("id"));`,
    );
    this.addSql(`comment on column "workspaces"."address_change"."email" is 'The new one, normalized.';`);
    this.addSql(
      `comment on column "workspaces"."address_change"."secret_hash" is 'Of the link that was mailed to it.';`,
    );
    this.addSql(`comment on column "workspaces"."address_change"."expires_at" is 'Of that link.';`);
    this.addSql(`comment on column "workspaces"."address_change"."former_email" is 'The one that it replaced.';`);
    this.addSql(
      `comment on column "workspaces"."address_change"."undone_at" is 'When the reader of a former address took the account back.';`,
    );
    this.addSql(
      `create index "address_change_of_account" on "workspaces"."address_change" ("account_id", "created_at");`,
    );
    this.addSql(
      `alter table "workspaces"."address_change" add constraint "address_change_secret" unique ("secret_hash");`,
    );

    this.addSql(
      `create table "workspaces"."stop_link" ("secret_hash" text not null, "account_id" uuid not null, "about_id" uuid not null, "created_at" timestamptz(6) not null, primary key ("secret_hash"));`,
    );
    this.addSql(
      `comment on column "workspaces"."stop_link"."about_id" is 'The change of address or of payout details, or the account that will be closed.';`,
    );
    this.addSql(`create index "stop_link_of_account" on "workspaces"."stop_link" ("account_id");`);

    this.addSql(
      `alter table "workspaces"."account" add "closes_at" timestamptz(6) null, add "closed_at" timestamptz(6) null;`,
    );
    this.addSql(
      `comment on column "workspaces"."account"."closes_at" is 'From when it is closed, until its places in workspaces have ended.';`,
    );
    this.addSql(
      `comment on column "workspaces"."account"."closed_at" is 'Since then the row names nobody, and nobody can sign in.';`,
    );

    this.addSql(
      `grant select, insert, delete, update ("expires_at", "former_email", "changed_at", "undone_at") on "workspaces"."address_change" to "workspaces";`,
    );
    this.addSql(`grant select, insert, delete on "workspaces"."stop_link" to "workspaces";`);
    this.addSql(`grant delete on "workspaces"."mail_choice" to "workspaces";`);
  }
}
